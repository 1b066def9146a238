-- Takes back runs, data and all.
-- Locks: ACCESS EXCLUSIVE on runs and jobs for a moment.

DROP TRIGGER IF EXISTS move_runs ON jobs;
DELETE FROM schema_functions WHERE name = 'move_runs';
DROP INDEX jobs_run_idx;
ALTER TABLE jobs DROP COLUMN run_id, DROP COLUMN started_at, DROP COLUMN error_code, DROP COLUMN error_detail;
DROP TABLE runs;
