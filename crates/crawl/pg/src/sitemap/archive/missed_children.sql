UPDATE sitemap_files
SET parent_id = CASE WHEN parent_missed_at IS NULL THEN parent_id END,
    parent_missed_at = CASE WHEN parent_missed_at IS NULL THEN $3::timestamptz END
WHERE parent_id = $1 AND NOT url_key = ANY ($2)
