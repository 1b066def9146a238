-- A run that failed after its result was stored has one, too.
SELECT a.run_id
FROM report_runs AS a
JOIN runs AS r ON r.id = a.run_id
WHERE a.has_result AND (r.status IN ('failed', 'canceled', 'expired') OR r.expires_at <= least($1, now()))
LIMIT $2
