-- Files that went, and whose pages are still there.
SELECT id, is_forgotten, good_at FROM sitemap_files
WHERE domain_id = $1 AND removed_at IS NOT NULL AND good_at IS NOT NULL
ORDER BY id
