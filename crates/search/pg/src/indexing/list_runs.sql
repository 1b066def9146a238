SELECT r.*, i.label
FROM runs AS r
JOIN indexing_runs AS i ON i.run_id = r.id
WHERE r.domain_id = $1 AND r.kind = 'inspector'
ORDER BY r.requested_at DESC, r.id DESC
LIMIT $2
