-- Pages that the file named before: those that come back, and those of which it says something else now.
WITH known AS (
    SELECT u.url_key, u.lastmod AS before, u.removed_at IS NOT NULL AS was_removed
    FROM sitemap_urls AS u
    JOIN sitemap_staged AS s ON s.url_key = u.url_key
    WHERE u.file_id = $1
        AND (
            u.missing_since IS NOT NULL
            OR (u.lastmod, u.change_frequency, u.priority, u.images, u.videos, u.is_news, u.alternates)
                IS DISTINCT FROM
                (s.lastmod, s.change_frequency, s.priority, s.images, s.videos, s.is_news, s.alternates)
        )
), changed AS (
    UPDATE sitemap_urls AS u
    SET lastmod = s.lastmod, change_frequency = s.change_frequency, priority = s.priority, images = s.images,
        videos = s.videos, is_news = s.is_news, alternates = s.alternates, missing_since = NULL, last_seen_at = NULL,
        removed_at = NULL, listed_at = CASE WHEN k.was_removed THEN $3 ELSE u.listed_at END
    FROM known AS k
    JOIN sitemap_staged AS s ON s.url_key = k.url_key
    WHERE u.file_id = $1 AND u.url_key = k.url_key
    RETURNING 1
), noted AS (
    INSERT INTO sitemap_changes (id, domain_id, changed_at, change, url, file_id, before, after)
    SELECT gen_random_uuid(), $2, $3, CASE WHEN k.was_removed THEN 'added' ELSE 'lastmod_changed' END, s.url, $1,
        CASE WHEN NOT k.was_removed THEN to_char(k.before AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') END,
        CASE WHEN NOT k.was_removed THEN to_char(s.lastmod AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') END
    FROM known AS k
    JOIN sitemap_staged AS s ON s.url_key = k.url_key
    WHERE NOT $4
        AND CASE
            WHEN k.was_removed THEN NOT EXISTS (
                SELECT FROM sitemap_urls AS o
                WHERE o.domain_id = $2 AND o.url_key = k.url_key AND o.removed_at IS NULL
            )
            ELSE k.before IS DISTINCT FROM s.lastmod
        END
    RETURNING change
)
SELECT (SELECT count(*) FROM changed) AS changed, count(*) FILTER (WHERE change = 'added') AS added,
    count(*) FILTER (WHERE change = 'lastmod_changed') AS lastmod_changed
FROM noted
