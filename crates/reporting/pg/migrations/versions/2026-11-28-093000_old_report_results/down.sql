-- Locks: ACCESS EXCLUSIVE on report_runs while its rows are checked, and on runs for a moment.

DROP TRIGGER IF EXISTS note_report_over ON runs;
DROP FUNCTION IF EXISTS note_report_over ();
DROP INDEX report_runs_over_idx;
UPDATE report_runs SET has_result = false WHERE result IS NULL;
ALTER TABLE report_runs
    DROP COLUMN is_over,
    ADD CONSTRAINT report_runs_check1 CHECK (NOT has_result OR result IS NOT NULL);
COMMENT ON COLUMN report_runs.has_result IS 'Whether the result lies in object storage: upkeep takes it out there first.';
