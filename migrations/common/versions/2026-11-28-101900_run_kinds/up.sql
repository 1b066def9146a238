-- The words and the place of each kind of runs, as people are told of one that is over. A group adds the row of a kind in a migration
-- of its own.
-- Locks: creates a table only.

CREATE TABLE run_kinds (
    kind text PRIMARY KEY CHECK (kind <> ''),
    module text NOT NULL CHECK (module <> ''),
    label text NOT NULL CHECK (label <> ''),
    path text NOT NULL CHECK (path LIKE '/domains/\%s/%')
);
COMMENT ON TABLE run_kinds IS
    'How people are told of runs, by their kinds. A run of a kind that has no row is told of, too, as one of the domain.';
COMMENT ON COLUMN run_kinds.kind IS 'The kind, as in runs.';
COMMENT ON COLUMN run_kinds.module IS 'The module that it is of.';
COMMENT ON COLUMN run_kinds.label IS 'The words for such a run, for people, such as Lab test.';
COMMENT ON COLUMN run_kinds.path IS
    'Where the answer of the operation has the run polled, below the API: %s is the id of the domain, a second one that of the run.';

INSERT INTO run_kinds (kind, module, label, path) VALUES
    ('uptime_check', 'uptime', 'Check', '/domains/%s/uptime/checks?run_id=%s'),
    ('analytics_report', 'analytics', 'Report', '/domains/%s/analytics/reports/runs/%s'),
    ('inspector', 'indexing', 'Inspector run', '/domains/%s/indexing/inspector/runs/%s'),
    ('gsc_report', 'gsc', 'Search report', '/domains/%s/gsc/reports/runs/%s'),
    ('crux_lookup', 'crux', 'Lookup of field data', '/domains/%s/crux/record'),
    ('gsc_sync', 'gsc', 'Import of search data', '/domains/%s/gsc/property'),
    ('robots_check', 'robots', 'Check of robots.txt', '/domains/%s/robots/checks?run_id=%s'),
    ('report', 'reports', 'Report', '/domains/%s/reports/runs/%s'),
    ('synthetic', 'synthetic', 'Lab test', '/domains/%s/synthetic/runs/%s'),
    ('sitemap_check', 'sitemap', 'Check of sitemaps', '/domains/%s/sitemap/files?run_id=%s');
