-- The wide pulls of analytics have tables of their own again.
-- Locks: creates tables; ROW EXCLUSIVE on wide_pulls and wide_pull_rows.

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

INSERT INTO analytics_report_runs (run_id, report, first_day, last_day, filters, total_rows, is_truncated, has_rows)
SELECT p.run_id, p.report, p.first_day, p.last_day, p.asked, p.total_rows, p.is_truncated, p.has_rows
FROM wide_pulls AS p
JOIN runs AS r ON r.id = p.run_id
WHERE r.kind = 'analytics_report';

INSERT INTO analytics_report_rows (run_id, place, cells)
SELECT w.run_id, w.place, w.cells
FROM wide_pull_rows AS w
JOIN analytics_report_runs AS a ON a.run_id = w.run_id;

DELETE FROM wide_pulls AS p USING analytics_report_runs AS a WHERE a.run_id = p.run_id;
