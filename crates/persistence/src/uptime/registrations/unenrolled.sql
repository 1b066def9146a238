SELECT m.domain_id, d.hostname
FROM uptime_monitors AS m
JOIN domains AS d ON d.id = m.domain_id
WHERE m.registrable_domain IS NULL AND m.enabled AND d.deleted_at IS NULL
LIMIT $1
-- Who completes checks holds several of these rows; the next round will do.
FOR NO KEY UPDATE OF m SKIP LOCKED
