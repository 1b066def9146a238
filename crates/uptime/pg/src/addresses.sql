SELECT d.id AS domain_id, coalesce(m.settings ->> 'url', 'https://' || d.hostname || '/') AS url
FROM domains AS d
LEFT JOIN uptime_monitors AS m ON m.domain_id = d.id
WHERE d.id = ANY ($1) AND d.deleted_at IS NULL
