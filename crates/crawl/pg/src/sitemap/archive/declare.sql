INSERT INTO sitemap_files (id, domain_id, url, url_key, in_robots, depth, found_at)
SELECT gen_random_uuid(), $1, n.url, n.url_key, true, 1, $4
FROM unnest($2::text[], $3::uuid[]) AS n (url, url_key)
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
