SELECT m.domain_id, m.settings, m.updated_at, d.deleted_at, now() AS present
FROM uptime_monitors AS m
JOIN domains AS d ON d.id = m.domain_id
WHERE m.domain_id = ANY ($1)
ORDER BY m.domain_id
FOR NO KEY UPDATE OF m
