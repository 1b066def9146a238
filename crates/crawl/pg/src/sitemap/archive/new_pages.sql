-- Pages that the file did not name before. The statement reads the rows as they were before it.
WITH fresh AS (
    INSERT INTO sitemap_urls (
        file_id, url_key, domain_id, url, lastmod, change_frequency, priority, images, videos, is_news, alternates,
        first_seen_at, listed_at
    )
    SELECT $1, s.url_key, $2, s.url, s.lastmod, s.change_frequency, s.priority, s.images, s.videos, s.is_news, s.alternates,
        coalesce(
            (
                SELECT min(k.first_seen_at)
                -- OFFSET keeps min from going through all pages of the domain in the order of first_seen_at.
                FROM (
                    SELECT o.first_seen_at FROM sitemap_urls AS o
                    WHERE o.domain_id = $2 AND o.url_key = s.url_key
                    OFFSET 0
                ) AS k
            ),
            $3
        ),
        $3
    FROM sitemap_staged AS s
    WHERE NOT EXISTS (SELECT FROM sitemap_urls AS u WHERE u.file_id = $1 AND u.url_key = s.url_key)
    RETURNING url_key, url
), noted AS (
    INSERT INTO sitemap_changes (id, domain_id, changed_at, change, url, file_id)
    SELECT gen_random_uuid(), $2, $3, 'added', f.url, $1
    FROM fresh AS f
    WHERE NOT $4
        AND NOT EXISTS (
            SELECT FROM sitemap_urls AS o
            WHERE o.domain_id = $2 AND o.url_key = f.url_key AND o.removed_at IS NULL
        )
    RETURNING 1
)
SELECT (SELECT count(*) FROM fresh) AS fresh, (SELECT count(*) FROM noted) AS added
