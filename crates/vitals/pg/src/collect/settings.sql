SELECT s.settings
FROM rum_sites AS s
JOIN domains AS d ON d.id = s.domain_id
WHERE s.domain_id = $1 AND s.enabled AND d.deleted_at IS NULL
