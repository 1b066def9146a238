-- Those that are watched stay so; of the others as many are watched as there is room for.
WITH named AS (
    SELECT n.url, n.url_key, n.place, f.id IS NOT NULL AND f.removed_at IS NULL AS is_watched
    FROM unnest($2::text[], $3::uuid[]) WITH ORDINALITY AS n (url, url_key, place)
    LEFT JOIN sitemap_files AS f ON f.domain_id = $1 AND f.url_key = n.url_key
    WHERE f.stopped_at IS NULL
), admitted AS (
    SELECT n.url, n.url_key FROM named AS n WHERE n.is_watched
    UNION ALL
    (
        SELECT n.url, n.url_key
        FROM named AS n
        WHERE NOT n.is_watched
        ORDER BY n.place
        LIMIT (
            SELECT greatest($5 - count(*), 0) FROM sitemap_files AS f WHERE f.domain_id = $1 AND f.removed_at IS NULL
        )
    )
)
INSERT INTO sitemap_files (id, domain_id, url, url_key, in_robots, depth, found_at)
SELECT gen_random_uuid(), $1, n.url, n.url_key, true, 1, $4
FROM admitted AS n
ON CONFLICT (domain_id, url_key) DO UPDATE
-- One that comes back is read as if it was new.
SET in_robots = true, robots_missed_at = NULL, depth = 1, removed_at = NULL, is_forgotten = false,
    sha256 = CASE WHEN sitemap_files.removed_at IS NULL THEN sitemap_files.sha256 END,
    good_at = CASE WHEN sitemap_files.removed_at IS NULL THEN sitemap_files.good_at END
WHERE sitemap_files.stopped_at IS NULL
    AND (
        NOT sitemap_files.in_robots OR sitemap_files.robots_missed_at IS NOT NULL
        OR sitemap_files.removed_at IS NOT NULL
    )
