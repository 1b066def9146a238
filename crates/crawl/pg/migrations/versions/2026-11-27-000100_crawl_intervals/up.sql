-- How often robots.txt and sitemaps of a site are checked is said of each domain.
-- Locks: ACCESS EXCLUSIVE on robots_sites and sitemap_sites while the CHECK reads them; they have one row a domain.

ALTER TABLE robots_sites ADD COLUMN interval_seconds integer NOT NULL DEFAULT 3600
    CHECK (interval_seconds IN (900, 3600, 21600, 86400));
COMMENT ON COLUMN robots_sites.interval_seconds IS 'How long it is from one check to the next.';

ALTER TABLE sitemap_sites ADD COLUMN interval_seconds integer NOT NULL DEFAULT 21600
    CHECK (interval_seconds IN (3600, 21600, 86400, 604800));
COMMENT ON COLUMN sitemap_sites.interval_seconds IS 'How long it is from one check to the next.';
