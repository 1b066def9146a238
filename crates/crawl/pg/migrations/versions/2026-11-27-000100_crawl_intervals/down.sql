ALTER TABLE sitemap_sites DROP COLUMN interval_seconds;
ALTER TABLE robots_sites DROP COLUMN interval_seconds;
