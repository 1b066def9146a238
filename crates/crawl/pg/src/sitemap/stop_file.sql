UPDATE sitemap_files
SET stopped_at = $3, removed_at = $3, is_forgotten = true, in_robots = false, robots_missed_at = NULL, is_manual = false,
    is_default = false, parent_id = NULL, parent_missed_at = NULL
WHERE id = $2 AND domain_id = $1 AND removed_at IS NULL
