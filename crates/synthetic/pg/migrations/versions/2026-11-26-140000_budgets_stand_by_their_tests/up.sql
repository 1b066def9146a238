-- How budgets stand is read from the tests that judged them, and kept nowhere else.
-- Locks: ACCESS EXCLUSIVE on synthetic_budgets and synthetic_runs, for a moment each.

ALTER TABLE synthetic_budgets DROP COLUMN last_value, DROP COLUMN last_result, DROP COLUMN last_run_id;
ALTER TABLE synthetic_runs DROP COLUMN exceeded;
