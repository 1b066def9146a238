UPDATE sitemap_files SET parent_id = NULL, parent_missed_at = NULL WHERE parent_id = $1 AND parent_missed_at IS NOT NULL
