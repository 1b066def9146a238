SELECT m.settings -> 'domain_warn_days' AS warn_days, r.name, r.answer, r.answered_at, r.changes
FROM uptime_monitors AS m
LEFT JOIN domain_registrations AS r ON r.name = m.registrable_domain AND r.asked_at IS NOT NULL
WHERE m.domain_id = $1
