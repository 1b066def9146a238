SELECT m.domain_id, m.settings, m.created_at, m.updated_at, m.updated_by, r.answer
FROM uptime_monitors AS m
JOIN domains AS d ON d.id = m.domain_id AND d.deleted_at IS NULL
LEFT JOIN domain_registrations AS r ON r.name = m.registrable_domain
WHERE m.domain_id = ANY ($1)
