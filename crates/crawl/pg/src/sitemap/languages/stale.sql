-- Totals are worked out when a check ends.
SELECT figures_at IS NULL OR coalesce(last_changed_at > figures_at, false) AS is_stale
FROM sitemap_sites
WHERE domain_id = $1
