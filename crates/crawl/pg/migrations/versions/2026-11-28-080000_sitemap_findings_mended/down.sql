-- Findings of files that went stay forgotten: nobody sees them.
-- Locks: SHARE UPDATE EXCLUSIVE on sitemap_conflicts for a moment.

COMMENT ON TABLE sitemap_conflicts IS
    'Pages of sitemaps that robots.txt keeps a crawler from, the first 10,000 of a crawler.';
