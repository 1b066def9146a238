-- Wide pulls of analytics: what their runs ask for, and the rows that they come to.
-- Locks: creates tables only; its references take SHARE ROW EXCLUSIVE on runs for a moment.

CREATE TABLE analytics_report_runs (
    run_id uuid PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
    report text NOT NULL,
    first_day date NOT NULL,
    last_day date NOT NULL,
    filters jsonb NOT NULL,
    total_rows bigint,
    is_truncated boolean NOT NULL DEFAULT false,
    has_rows boolean NOT NULL DEFAULT false,
    CHECK (first_day <= last_day)
);
CREATE INDEX analytics_report_runs_has_rows_idx ON analytics_report_runs (run_id) WHERE has_rows;
COMMENT ON TABLE analytics_report_runs IS 'The question of a run of a wide pull. The run itself is in runs.';
COMMENT ON COLUMN analytics_report_runs.report IS 'The key of the report.';
COMMENT ON COLUMN analytics_report_runs.filters IS 'The filters of sessions that were given, by name.';
COMMENT ON COLUMN analytics_report_runs.total_rows IS 'How many rows it came to; null until it is done.';
COMMENT ON COLUMN analytics_report_runs.is_truncated IS 'Whether there were more rows than a report keeps.';
COMMENT ON COLUMN analytics_report_runs.has_rows IS 'Whether rows are stored: upkeep takes them out once the run''s result is no longer kept.';

CREATE TABLE analytics_report_rows (
    run_id uuid NOT NULL REFERENCES analytics_report_runs (run_id) ON DELETE CASCADE,
    place integer NOT NULL,
    cells jsonb NOT NULL,
    PRIMARY KEY (run_id, place)
);
COMMENT ON TABLE analytics_report_rows IS 'The rows of wide pulls.';
COMMENT ON COLUMN analytics_report_rows.place IS 'Where it stands in the report: 1, 2, 3 and so on, without a gap.';
COMMENT ON COLUMN analytics_report_rows.cells IS 'A value for each column of the report, in their order.';
