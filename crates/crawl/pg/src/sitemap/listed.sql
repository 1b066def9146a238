-- The index by domain and key has them in this order.
SELECT DISTINCT ON (u.url_key) u.url, u.file_id, u.lastmod
FROM sitemap_urls AS u
WHERE u.domain_id = $1 AND ($2 IS NULL OR u.url_key > $2) AND u.removed_at IS NULL
ORDER BY u.url_key, u.file_id
LIMIT $3
