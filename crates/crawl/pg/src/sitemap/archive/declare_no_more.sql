UPDATE sitemap_files
SET in_robots = robots_missed_at IS NULL, robots_missed_at = CASE WHEN robots_missed_at IS NULL THEN $3::timestamptz END
WHERE domain_id = $1 AND in_robots AND removed_at IS NULL AND NOT url_key = ANY ($2)
