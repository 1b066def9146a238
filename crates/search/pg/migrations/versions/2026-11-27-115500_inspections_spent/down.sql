ALTER TABLE indexing_runs DROP COLUMN quota_day, DROP COLUMN unspent;
DROP INDEX search_properties_site_idx;
ALTER TABLE indexing_sites DROP COLUMN spent_on, DROP COLUMN spent;
DROP INDEX indexing_urls_daily_idx;
DROP INDEX indexing_urls_new_idx;
CREATE INDEX indexing_urls_new_idx ON indexing_urls (domain_id, created_at, id)
    WHERE inspected_at IS NULL AND next_inspection_at IS NOT NULL;
ALTER TABLE indexing_urls DROP COLUMN clicks, DROP COLUMN has_changed, DROP COLUMN listed_at;
