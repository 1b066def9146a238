-- The template before its run, as whoever deletes a template locks them: nobody waits for the other.
WITH told AS (
    UPDATE report_templates AS t
    SET last_run_at = greatest(t.last_run_at, least($3, now()))
    FROM report_runs AS a
    WHERE a.run_id = $1 AND t.id = a.template_id
    RETURNING t.id
)
UPDATE report_runs
SET result = $2, has_result = true
WHERE run_id = $1 AND (SELECT count(*) FROM told) >= 0
