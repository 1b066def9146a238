-- Locks: ACCESS EXCLUSIVE on sitemap_files for a moment.

ALTER TABLE sitemap_files DROP COLUMN names;
