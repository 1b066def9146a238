-- A run that failed after its result was stored has one, too. Each branch has an index: what is kept is not looked at.
SELECT a.run_id
FROM report_runs AS a
WHERE a.has_result AND a.is_over AND a.run_id <> ALL ($3)
UNION ALL
SELECT a.run_id
FROM runs AS r
JOIN report_runs AS a ON a.run_id = r.id
WHERE r.status IN ('succeeded', 'partial') AND r.expires_at IS NOT NULL AND r.expires_at <= least($1, now()) AND a.has_result
    AND a.run_id <> ALL ($3)
LIMIT $2
