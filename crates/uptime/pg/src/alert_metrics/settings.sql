SELECT m.domain_id, m.settings
FROM uptime_monitors AS m
JOIN domains AS d ON d.id = m.domain_id AND d.deleted_at IS NULL
WHERE m.domain_id = ANY ($1)
