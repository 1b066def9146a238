-- The next pages after the last one that was asked; past the end, the first ones.
WITH through AS (
    SELECT coalesce(s.sampled_through, '00000000-0000-0000-0000-000000000000') AS key
    FROM sitemap_sites AS s
    WHERE s.domain_id = $1
)
SELECT DISTINCT ON (u.url_key) u.url_key, u.url, u.file_id
FROM sitemap_urls AS u
WHERE u.domain_id = $1 AND u.url_key > (SELECT t.key FROM through AS t) AND u.missing_since IS NULL
ORDER BY u.url_key, u.file_id
LIMIT $2
