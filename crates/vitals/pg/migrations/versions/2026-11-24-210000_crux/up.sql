CREATE TABLE crux_targets (
    id uuid PRIMARY KEY,
    domain_id uuid NOT NULL REFERENCES domains (id),
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    url text CHECK (url <> '' AND octet_length(url) <= 2000),
    label text CHECK (label <> ''),
    status text NOT NULL CHECK (status IN ('active', 'no_data', 'error')),
    origin text,
    origin_source text,
    url_normalized text,
    next_collection_at timestamptz NOT NULL,
    leased_until timestamptz,
    asked_at timestamptz,
    failures integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
    last_failure text,
    fetched_at timestamptz,
    first_seen_data_on date,
    mobile_passing_since date,
    desktop_passing_since date,
    created_at timestamptz NOT NULL,
    UNIQUE NULLS NOT DISTINCT (domain_id, url),
    CHECK ((origin IS NULL) = (origin_source IS NULL))
) WITH (fillfactor = 70);
CREATE INDEX crux_targets_due_idx ON crux_targets (next_collection_at);
CREATE INDEX crux_targets_leased_idx ON crux_targets (leased_until) WHERE leased_until IS NOT NULL;
CREATE INDEX crux_targets_workspace_idx ON crux_targets (workspace_id, next_collection_at);
COMMENT ON TABLE crux_targets IS
    'The targets that field data of the Chrome UX Report is collected of: the origin of each domain, and pages that are followed.';
COMMENT ON COLUMN crux_targets.url IS 'The page in normal form; null: the origin of the domain.';
COMMENT ON COLUMN crux_targets.status IS 'By the last answer. No_data also before the first.';
COMMENT ON COLUMN crux_targets.origin IS 'The origin that answered; null: a page, or there was no answer with figures.';
COMMENT ON COLUMN crux_targets.url_normalized IS 'The URL that the API made out of it; null: the same.';
COMMENT ON COLUMN crux_targets.leased_until IS
    'Until then one node alone asks, and this moment is its claim; a node that dies loses it then. Null: nobody asks.';
COMMENT ON COLUMN crux_targets.asked_at IS 'When asking last ended, however it did; null: never.';
COMMENT ON COLUMN crux_targets.failures IS 'How often in a row asking failed.';
COMMENT ON COLUMN crux_targets.fetched_at IS 'When asking last succeeded, whether there were figures or not.';
COMMENT ON COLUMN crux_targets.first_seen_data_on IS 'The end of the first period that there were figures of.';
COMMENT ON COLUMN crux_targets.mobile_passing_since IS
    'The end of the first period of the present run of passes of Core Web Vitals on phones; null: it does not pass.';

CREATE TABLE crux_figures (
    target_id uuid NOT NULL REFERENCES crux_targets (id) ON DELETE CASCADE,
    form_factor text NOT NULL CHECK (form_factor IN ('all', 'mobile', 'desktop', 'tablet')),
    grain text NOT NULL CHECK (grain IN ('day', 'week')),
    period_end date NOT NULL,
    figures jsonb NOT NULL,
    PRIMARY KEY (target_id, form_factor, grain, period_end)
);
CREATE INDEX crux_figures_end_idx ON crux_figures (period_end);
COMMENT ON TABLE crux_figures IS
    'The figures of collection periods. A period has 28 days, the last of which is its end. Daily ones are from records, weekly ones from the history, which ends on Saturdays.';

CREATE TABLE crux_lookups (
    run_id uuid PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
    domain_id uuid NOT NULL REFERENCES domains (id),
    record jsonb,
    made_at timestamptz NOT NULL
);
CREATE INDEX crux_lookups_domain_idx ON crux_lookups (domain_id);
COMMENT ON TABLE crux_lookups IS 'The results of lookups. They go with their runs.';
COMMENT ON COLUMN crux_lookups.record IS 'Null: the page is not in the report.';
