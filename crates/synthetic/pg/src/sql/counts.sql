-- Index (domain_id, requested_at, id).
SELECT count(*) AS runs, count(*) FILTER (WHERE r.status = 'failed') AS failed
FROM synthetic_runs AS r
WHERE r.domain_id = $1 AND r.requested_at >= $2
