-- Inspections: what the search sends to URLs, which of them changed, when something last listed them; what a domain spent of its
-- property's day; what a run has left of what it took.
-- Locks: ACCESS EXCLUSIVE on indexing_sites, indexing_runs and indexing_urls for a moment; SHARE on indexing_urls and
-- search_properties while their indices are built.

ALTER TABLE indexing_urls
    ADD COLUMN clicks bigint NOT NULL DEFAULT 0,
    ADD COLUMN has_changed boolean NOT NULL DEFAULT false,
    ADD COLUMN listed_at timestamptz NOT NULL DEFAULT now();
COMMENT ON COLUMN indexing_urls.clicks IS 'The clicks of web search within 28 days, when URLs were last gathered.';
COMMENT ON COLUMN indexing_urls.has_changed IS 'Whether the newest inspection found a change.';
COMMENT ON COLUMN indexing_urls.listed_at IS
    'When a gathering last found it, up to a week late. A URL that nothing lists any more is let go, unless somebody added it.';

DROP INDEX indexing_urls_new_idx;
CREATE INDEX indexing_urls_new_idx ON indexing_urls (domain_id, clicks DESC, created_at, id)
    WHERE inspected_at IS NULL AND next_inspection_at IS NOT NULL;
CREATE INDEX indexing_urls_daily_idx ON indexing_urls (domain_id, next_inspection_at, id)
    WHERE next_inspection_at IS NOT NULL AND inspected_at IS NOT NULL AND (is_valuable OR has_changed);

ALTER TABLE indexing_sites
    ADD COLUMN spent_on date,
    ADD COLUMN spent integer NOT NULL DEFAULT 0;
COMMENT ON COLUMN indexing_sites.spent_on IS 'The day of Pacific time that spent counts; null: nothing was spent.';
COMMENT ON COLUMN indexing_sites.spent IS
    'How many inspections of its property the rotation spent on the domain. Domains that are linked to one property share it.';
CREATE INDEX search_properties_site_idx ON search_properties (site_url);

ALTER TABLE indexing_runs
    ADD COLUMN quota_day date,
    ADD COLUMN unspent integer NOT NULL DEFAULT 0;
COMMENT ON COLUMN indexing_runs.quota_day IS
    'The day of Pacific time whose inspections the run took; null: it is of a version that did not note it.';
COMMENT ON COLUMN indexing_runs.unspent IS 'How many of them nothing was asked with yet.';
