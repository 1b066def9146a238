INSERT INTO sitemap_files (id, domain_id, url, url_key, parent_id, index_lastmod, depth, found_at)
SELECT gen_random_uuid(), $1, n.url, n.url_key, $2, n.lastmod, $6, $7
FROM (
    SELECT DISTINCT ON (n.url_key) n.url, n.url_key, n.lastmod, n.place
    FROM unnest($3::text[], $4::uuid[], $5::timestamptz[]) WITH ORDINALITY AS n (url, url_key, lastmod, place)
    ORDER BY n.url_key, n.place
) AS n
WHERE NOT EXISTS (SELECT FROM sitemap_files AS f WHERE f.domain_id = $1 AND f.url_key = n.url_key)
ORDER BY n.place
LIMIT (
    SELECT greatest($8 - count(*), 0) FROM sitemap_files AS f WHERE f.domain_id = $1 AND f.removed_at IS NULL
)
ON CONFLICT DO NOTHING
