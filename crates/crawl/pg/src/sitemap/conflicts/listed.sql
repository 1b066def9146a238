-- If several files name a page, the first is taken.
SELECT DISTINCT ON (u.url_key) u.url_key, u.url, u.file_id
FROM sitemap_urls AS u
WHERE u.domain_id = $1 AND u.url_key > $2 AND u.missing_since IS NULL
ORDER BY u.url_key, u.file_id
LIMIT $3
