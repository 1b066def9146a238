-- A site that is not watched yet has none.
SELECT
    (SELECT r.interval_seconds FROM robots_sites AS r WHERE r.domain_id = d.id) AS robots,
    (SELECT s.interval_seconds FROM sitemap_sites AS s WHERE s.domain_id = d.id) AS sitemaps
FROM domains AS d
WHERE d.id = $1 AND d.deleted_at IS NULL
