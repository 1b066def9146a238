-- Locks: ACCESS EXCLUSIVE on synthetic_runs for a moment.

DROP INDEX synthetic_runs_files_idx;
ALTER TABLE synthetic_runs DROP COLUMN files_until;
