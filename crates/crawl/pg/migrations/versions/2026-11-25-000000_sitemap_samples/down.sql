ALTER TABLE sitemap_rounds DROP COLUMN non_200;
ALTER TABLE sitemap_sites DROP COLUMN sampled_through;
DROP TABLE sitemap_samples;
