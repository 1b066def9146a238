-- Findings of files that went, also of those that never were good.
DELETE FROM sitemap_issues AS i
USING sitemap_files AS f
WHERE i.domain_id = $1 AND f.id = i.file_id AND f.removed_at IS NOT NULL
