-- A file that was never read has no entries: least() passes over null, and would take it for a full one.
SELECT coalesce(sum(least(f.entries, 50000)), 0)::bigint AS entries
FROM sitemap_files AS f
WHERE f.domain_id = $1 AND f.removed_at IS NULL AND f.kind <> 'sitemap_index' AND f.entries IS NOT NULL
