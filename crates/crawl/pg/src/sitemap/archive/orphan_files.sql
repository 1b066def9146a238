UPDATE sitemap_files AS f
SET parent_id = NULL, parent_missed_at = NULL,
    removed_at = CASE WHEN f.in_robots OR f.is_manual OR f.is_default THEN f.removed_at ELSE coalesce(f.removed_at, $2) END,
    is_forgotten = f.is_forgotten
        OR (p.is_forgotten AND f.removed_at IS NULL AND NOT (f.in_robots OR f.is_manual OR f.is_default))
FROM sitemap_files AS p
WHERE f.domain_id = $1 AND p.id = f.parent_id AND p.removed_at IS NOT NULL
