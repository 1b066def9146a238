-- Inspections of URLs: who is inspected when, what was found, what changed, what was asked for, and what is left of quotas.
-- Locks: creates tables only; its references take SHARE ROW EXCLUSIVE on domains and runs for a moment.
--
-- The tables that each inspection adds to refer to no other: URLs are deleted with their inspections in one transaction.

CREATE TABLE indexing_sites (
    domain_id uuid PRIMARY KEY REFERENCES domains (id),
    workspace_id uuid NOT NULL,
    next_round_at timestamptz NOT NULL,
    leased_until timestamptz,
    round_at timestamptz,
    gathered_at timestamptz,
    hurried_at timestamptz,
    failures integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
    last_failure text
) WITH (fillfactor = 70);
CREATE INDEX indexing_sites_due_idx ON indexing_sites (next_round_at);
CREATE INDEX indexing_sites_leased_idx ON indexing_sites (leased_until) WHERE leased_until IS NOT NULL;
CREATE INDEX indexing_sites_workspace_idx ON indexing_sites (workspace_id, next_round_at);
COMMENT ON TABLE indexing_sites IS 'The rotation through the URLs of each linked domain.';
COMMENT ON COLUMN indexing_sites.leased_until IS
    'Until then one node alone inspects, and this moment is its claim; a node that dies loses it then. Null: nobody does.';
COMMENT ON COLUMN indexing_sites.round_at IS 'When the last round ended, however it did; null: there was none.';
COMMENT ON COLUMN indexing_sites.gathered_at IS 'When URLs were last gathered from sitemaps and the search; null: never.';
COMMENT ON COLUMN indexing_sites.hurried_at IS 'When somebody last added URLs, which are inspected at once; null: nobody did.';
COMMENT ON COLUMN indexing_sites.failures IS 'How many rounds in a row failed.';

CREATE TABLE indexing_urls (
    id uuid PRIMARY KEY,
    domain_id uuid NOT NULL REFERENCES domains (id),
    url text NOT NULL CHECK (url <> '' AND octet_length(url) <= 2000),
    source text NOT NULL CHECK (source IN ('manual', 'sitemap', 'gsc_pages', 'analytics', 'inspector')),
    is_valuable boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL,
    next_inspection_at timestamptz,
    failures integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
    last_error_code text,
    inspected_at timestamptz,
    verdict text,
    coverage_state text,
    coverage_reason text,
    robots_txt_state text,
    indexing_state text,
    page_fetch_state text,
    crawled_as text,
    last_crawl_at timestamptz,
    google_canonical text,
    user_canonical text,
    canonical_kind text,
    has_rich_errors boolean NOT NULL DEFAULT false,
    inspection jsonb,
    CHECK ((inspected_at IS NULL) = (inspection IS NULL)),
    CHECK ((inspected_at IS NULL) = (verdict IS NULL))
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX indexing_urls_url_key ON indexing_urls (domain_id, url);
CREATE INDEX indexing_urls_new_idx ON indexing_urls (domain_id, created_at, id)
    WHERE inspected_at IS NULL AND next_inspection_at IS NOT NULL;
CREATE INDEX indexing_urls_due_idx ON indexing_urls (domain_id, next_inspection_at, id)
    WHERE next_inspection_at IS NOT NULL;
CREATE INDEX indexing_urls_canonical_idx ON indexing_urls (domain_id, url)
    WHERE canonical_kind IS NOT NULL AND next_inspection_at IS NOT NULL;
CREATE INDEX indexing_urls_unmonitored_idx ON indexing_urls (coalesce(inspected_at, created_at))
    WHERE next_inspection_at IS NULL;
COMMENT ON TABLE indexing_urls IS 'The URLs whose place in the index is known, with their newest inspection.';
COMMENT ON COLUMN indexing_urls.is_valuable IS 'Whether it is among the pages that the search sends most to.';
COMMENT ON COLUMN indexing_urls.next_inspection_at IS
    'When it is inspected next; null: it is not monitored, and was named by an inspector run alone.';
COMMENT ON COLUMN indexing_urls.failures IS 'How many inspections in a row failed.';
COMMENT ON COLUMN indexing_urls.last_error_code IS 'Why the last inspection failed; null: it did not.';
COMMENT ON COLUMN indexing_urls.canonical_kind IS 'How the canonical page that Google chose differs; null: it does not.';
COMMENT ON COLUMN indexing_urls.inspection IS 'The newest inspection, whole; null: there was none.';

CREATE TABLE indexing_removed (
    domain_id uuid NOT NULL REFERENCES domains (id),
    url text NOT NULL CHECK (octet_length(url) <= 2000),
    removed_at timestamptz NOT NULL,
    PRIMARY KEY (domain_id, url)
);
CREATE INDEX indexing_removed_at_idx ON indexing_removed (removed_at);
COMMENT ON TABLE indexing_removed IS
    'URLs that somebody took out of monitoring: nothing gathers them again for 12 months, unless somebody adds them.';

CREATE TABLE indexing_rich_types (
    url_id uuid NOT NULL REFERENCES indexing_urls (id) ON DELETE CASCADE,
    domain_id uuid NOT NULL,
    kind text NOT NULL CHECK (octet_length(kind) <= 500),
    items integer NOT NULL CHECK (items >= 0),
    severity text CHECK (severity IN ('unknown', 'warning', 'error')),
    PRIMARY KEY (url_id, kind)
);
CREATE INDEX indexing_rich_types_domain_idx ON indexing_rich_types (domain_id, kind);
COMMENT ON TABLE indexing_rich_types IS 'The types of rich results that URLs have by their newest inspection.';
COMMENT ON COLUMN indexing_rich_types.severity IS 'The gravest issue of the items; null: they have none.';

CREATE TABLE indexing_rich_issues (
    url_id uuid NOT NULL REFERENCES indexing_urls (id) ON DELETE CASCADE,
    domain_id uuid NOT NULL,
    kind text NOT NULL CHECK (octet_length(kind) <= 500),
    severity text NOT NULL CHECK (severity IN ('unknown', 'warning', 'error')),
    message text NOT NULL CHECK (octet_length(message) <= 500),
    PRIMARY KEY (url_id, kind, severity, message)
);
CREATE INDEX indexing_rich_issues_domain_idx ON indexing_rich_issues (domain_id, kind);
COMMENT ON TABLE indexing_rich_issues IS 'The issues of rich results that URLs have by their newest inspection, each once a type.';

CREATE TABLE indexing_results (
    url_id uuid NOT NULL,
    inspected_at timestamptz NOT NULL,
    domain_id uuid NOT NULL,
    verdict text NOT NULL,
    coverage_reason text,
    page_fetch_state text NOT NULL,
    last_crawl_at timestamptz,
    PRIMARY KEY (url_id, inspected_at)
) PARTITION BY RANGE (inspected_at);
CREATE INDEX indexing_results_domain_idx ON indexing_results (domain_id, inspected_at);
COMMENT ON TABLE indexing_results IS 'The findings of each inspection, in short. Kept for 12 months.';
CREATE TABLE indexing_results_default PARTITION OF indexing_results DEFAULT;
COMMENT ON TABLE indexing_results_default IS 'Inspections of months that have no partition.';

CREATE TABLE indexing_changes (
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    url_id uuid NOT NULL,
    changed_at timestamptz NOT NULL,
    field text NOT NULL CHECK (
        field IN (
            'verdict', 'coverage_reason', 'robots_txt_state', 'indexing_state', 'page_fetch_state', 'google_canonical',
            'user_canonical'
        )
    ),
    before text,
    after text,
    direction text NOT NULL CHECK (direction IN ('improved', 'worsened', 'neutral')),
    PRIMARY KEY (domain_id, changed_at, id)
) PARTITION BY RANGE (changed_at);
CREATE INDEX indexing_changes_url_idx ON indexing_changes (url_id, changed_at);
COMMENT ON TABLE indexing_changes IS 'The differences between an inspection and the next. Kept for 12 months.';
CREATE TABLE indexing_changes_default PARTITION OF indexing_changes DEFAULT;
COMMENT ON TABLE indexing_changes_default IS 'Changes of months that have no partition.';

CREATE TABLE indexing_days (
    domain_id uuid NOT NULL,
    day date NOT NULL,
    inspected bigint NOT NULL CHECK (inspected >= 0),
    indexed bigint NOT NULL CHECK (indexed >= 0),
    unknown bigint NOT NULL CHECK (unknown >= 0),
    by_reason jsonb NOT NULL,
    fetch_errors bigint NOT NULL,
    canonical_mismatches bigint NOT NULL,
    rich_result_errors bigint NOT NULL,
    median_crawl_age_days double precision,
    PRIMARY KEY (domain_id, day)
);
CREATE INDEX indexing_days_day_idx ON indexing_days (day);
COMMENT ON TABLE indexing_days IS
    'How the monitored URLs of a domain stood after the last inspection of each UTC day that had one. Kept for 12 months.';
COMMENT ON COLUMN indexing_days.by_reason IS 'How many have each coverage reason.';

CREATE TABLE indexing_quota (
    site_url text NOT NULL CHECK (octet_length(site_url) <= 2000),
    day date NOT NULL,
    used integer NOT NULL DEFAULT 0 CHECK (used >= 0),
    rotation integer NOT NULL DEFAULT 0 CHECK (rotation >= 0),
    minute timestamptz NOT NULL DEFAULT '-infinity',
    minute_used integer NOT NULL DEFAULT 0 CHECK (minute_used >= 0),
    PRIMARY KEY (site_url, day)
) WITH (fillfactor = 70);
CREATE INDEX indexing_quota_day_idx ON indexing_quota (day);
COMMENT ON TABLE indexing_quota IS
    'How many inspections of a property were used on each day of Pacific time. Domains that are linked to one property share it.';
COMMENT ON COLUMN indexing_quota.rotation IS 'How many of them the rotation used.';
COMMENT ON COLUMN indexing_quota.minute IS 'The minute that minute_used counts.';

CREATE TABLE indexing_runs (
    run_id uuid PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
    domain_id uuid NOT NULL REFERENCES domains (id),
    site_url text NOT NULL,
    label text,
    has_results boolean NOT NULL DEFAULT true
);
CREATE INDEX indexing_runs_domain_idx ON indexing_runs (domain_id);
CREATE INDEX indexing_runs_results_idx ON indexing_runs (run_id) WHERE has_results;
COMMENT ON TABLE indexing_runs IS 'Inspector runs. They go with their runs.';
COMMENT ON COLUMN indexing_runs.has_results IS 'Whether results are kept still.';

CREATE TABLE indexing_run_urls (
    run_id uuid NOT NULL REFERENCES indexing_runs (run_id) ON DELETE CASCADE,
    place integer NOT NULL CHECK (place >= 0),
    url text NOT NULL,
    url_id uuid NOT NULL,
    status text CHECK (status IN ('done', 'failed', 'skipped_duplicate', 'skipped_quota')),
    error_code text,
    inspected_at timestamptz,
    inspection jsonb,
    PRIMARY KEY (run_id, place)
);
COMMENT ON TABLE indexing_run_urls IS 'The URLs of inspector runs, in the order of the request, with what was found.';
COMMENT ON COLUMN indexing_run_urls.status IS 'Null: nobody has come to it.';
