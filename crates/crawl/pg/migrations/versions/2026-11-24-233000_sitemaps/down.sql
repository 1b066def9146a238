DROP TABLE sitemap_conflicts;
DROP TABLE sitemap_rounds;
DROP TABLE sitemap_issues;
DROP TABLE sitemap_changes;
DROP TABLE sitemap_checks;
DROP TABLE sitemap_urls;
DROP TABLE sitemap_files;
DROP TABLE sitemap_sites;
