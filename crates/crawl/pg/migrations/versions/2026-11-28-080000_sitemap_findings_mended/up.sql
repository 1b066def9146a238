-- Findings of sitemap files that went are forgotten.
-- Locks: ROW EXCLUSIVE on sitemap_issues while their rows are deleted, of 1,000 files a domain at most; SHARE UPDATE EXCLUSIVE on
-- sitemap_conflicts for a moment.

DELETE FROM sitemap_issues AS i USING sitemap_files AS f WHERE f.id = i.file_id AND f.removed_at IS NOT NULL;

COMMENT ON TABLE sitemap_conflicts IS
    'Pages of sitemaps that robots.txt keeps a crawler from, the first 10,000 of a crawler at most.';
