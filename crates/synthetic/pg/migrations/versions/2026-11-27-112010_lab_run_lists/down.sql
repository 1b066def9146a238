-- Locks: ACCESS EXCLUSIVE on synthetic_runs for a moment.

DROP INDEX synthetic_runs_page_found_idx;
DROP INDEX synthetic_runs_found_idx;
