SELECT s.settings, s.updated_at, s.updated_by, p.commerce_at IS NOT NULL AS has_commerce
FROM analytics_sites AS s
LEFT JOIN analytics_progress AS p ON p.domain_id = s.domain_id
WHERE s.domain_id = $1
