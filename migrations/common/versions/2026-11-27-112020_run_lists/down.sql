-- Locks: ACCESS EXCLUSIVE on runs for a moment.

DROP INDEX runs_status_idx;
