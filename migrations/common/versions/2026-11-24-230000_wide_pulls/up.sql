-- Wide pulls: what their runs ask for, and the rows that they come to.
-- Locks: creates tables only; its references take SHARE ROW EXCLUSIVE on runs for a moment.

CREATE TABLE wide_pulls (
    run_id uuid PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
    report text NOT NULL,
    first_day date NOT NULL,
    last_day date NOT NULL,
    asked jsonb NOT NULL,
    total_rows bigint,
    is_truncated boolean NOT NULL DEFAULT false,
    has_rows boolean NOT NULL DEFAULT false,
    CHECK (first_day <= last_day)
);
CREATE INDEX wide_pulls_has_rows_idx ON wide_pulls (run_id) WHERE has_rows;
COMMENT ON TABLE wide_pulls IS
    'The question of a run of a wide pull. The run itself is in runs; its kind says whose report it is.';
COMMENT ON COLUMN wide_pulls.report IS 'The key of the report.';
COMMENT ON COLUMN wide_pulls.asked IS 'Its subject besides its days, as the module has it.';
COMMENT ON COLUMN wide_pulls.total_rows IS 'How many rows it came to; null until it is done.';
COMMENT ON COLUMN wide_pulls.is_truncated IS 'Whether there were more rows than a report keeps.';
COMMENT ON COLUMN wide_pulls.has_rows IS 'Whether rows are stored: upkeep takes them out once the run''s result is no longer kept.';

CREATE TABLE wide_pull_rows (
    run_id uuid NOT NULL,
    place integer NOT NULL,
    cells jsonb NOT NULL,
    PRIMARY KEY (run_id, place)
);
COMMENT ON TABLE wide_pull_rows IS
    'The rows of wide pulls. They refer to no other table: checking that for each of a million costs as much as storing it. Upkeep takes them out before their run.';
COMMENT ON COLUMN wide_pull_rows.place IS 'Where it stands in the report: 1, 2, 3 and so on, without a gap.';
COMMENT ON COLUMN wide_pull_rows.cells IS 'A value for each column of the report, in their order.';
