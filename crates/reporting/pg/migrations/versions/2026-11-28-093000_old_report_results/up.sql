-- Results that are no longer kept are found by an index, and those that were stored by a worker that then died, too.
-- Locks: ACCESS EXCLUSIVE on report_runs while the rows of runs that are over are marked and an index is made of those that have a
-- result, of which there are few.

ALTER TABLE report_runs
    ADD COLUMN is_over boolean NOT NULL DEFAULT false,
    DROP CONSTRAINT report_runs_check1;
UPDATE report_runs AS a
SET is_over = true
FROM runs AS r
WHERE r.id = a.run_id AND r.status IN ('failed', 'canceled', 'expired');
CREATE INDEX report_runs_over_idx ON report_runs (run_id) WHERE has_result AND is_over;
COMMENT ON COLUMN report_runs.has_result IS
    'Whether a result may lie in object storage: noted before it is put there, and until upkeep has taken it out.';
COMMENT ON COLUMN report_runs.is_over IS
    'Whether its run failed, was canceled or has expired, so that no result is kept of it; a trigger on runs notes it.';
