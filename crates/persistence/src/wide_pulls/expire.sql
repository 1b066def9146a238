UPDATE runs AS r
SET expires_at = $2
FROM wide_pulls AS p
WHERE r.domain_id = $1 AND r.id = p.run_id AND r.status IN ('succeeded', 'partial') AND r.expires_at > $2
