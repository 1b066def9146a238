-- Pages that the file did not name before. The statement reads the rows as they were before it.
WITH unknown AS (
    SELECT s.*, k.first_seen_at, k.is_listed
    FROM sitemap_staged AS s
    CROSS JOIN LATERAL (
        SELECT min(o.first_seen_at) AS first_seen_at, coalesce(bool_or(o.removed_at IS NULL), false) AS is_listed,
            coalesce(bool_or(o.file_id = $1), false) AS is_known
        -- By the order and OFFSET there is one index alone that these rows come from without more work, also where PostgreSQL knows
        -- nothing of the table: any other goes through all pages of the domain for each.
        FROM (
            SELECT u.first_seen_at, u.removed_at, u.file_id FROM sitemap_urls AS u
            WHERE u.domain_id = $2 AND u.url_key = s.url_key
            ORDER BY u.file_id
            OFFSET 0
        ) AS o
    ) AS k
    WHERE NOT k.is_known
), fresh AS (
    INSERT INTO sitemap_urls (
        file_id, url_key, domain_id, url, lastmod, change_frequency, priority, images, videos, is_news, alternates,
        first_seen_at, listed_at
    )
    SELECT $1, n.url_key, $2, n.url, n.lastmod, n.change_frequency, n.priority, n.images, n.videos, n.is_news, n.alternates,
        coalesce(n.first_seen_at, $3), $3
    FROM unknown AS n
    RETURNING 1
), noted AS (
    INSERT INTO sitemap_changes (id, domain_id, changed_at, change, url, file_id)
    SELECT gen_random_uuid(), $2, $3, 'added', n.url, $1
    FROM unknown AS n
    WHERE NOT $4 AND NOT n.is_listed
    RETURNING 1
)
SELECT (SELECT count(*) FROM fresh) AS fresh, (SELECT count(*) FROM noted) AS added
