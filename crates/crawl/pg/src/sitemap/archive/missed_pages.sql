-- Pages that a good fetch misses for the first time. They are gone if the next one misses them too.
UPDATE sitemap_urls AS u
SET missing_since = $2, last_seen_at = coalesce($3, u.listed_at)
WHERE u.file_id = $1 AND u.missing_since IS NULL
    AND NOT EXISTS (SELECT FROM sitemap_staged AS s WHERE s.url_key = u.url_key)
