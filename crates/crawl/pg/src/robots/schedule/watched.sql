SELECT d.id AS domain_id, s.good_fetch, s.sitemaps_asked_at, v.sha256, v.content IS NULL AS is_missing
FROM domains AS d
LEFT JOIN robots_sites AS s ON s.domain_id = d.id
LEFT JOIN robots_versions AS v ON v.id = s.version_id
WHERE d.id = $1 AND d.deleted_at IS NULL
