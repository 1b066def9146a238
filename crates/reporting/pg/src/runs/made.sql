WITH made AS (
    UPDATE report_runs SET result = $2, has_result = true
    WHERE run_id = $1
    RETURNING template_id
)
UPDATE report_templates AS t
SET last_run_at = greatest(t.last_run_at, least($3, now()))
FROM made
WHERE t.id = made.template_id
