-- Locks: ACCESS EXCLUSIVE on synthetic_runs for a moment.

ALTER TABLE synthetic_runs DROP COLUMN engine_major;
