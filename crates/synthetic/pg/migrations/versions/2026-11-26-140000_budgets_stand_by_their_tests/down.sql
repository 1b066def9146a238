-- How budgets stood at their last test is known again from their next one on.
-- Locks: ACCESS EXCLUSIVE on synthetic_budgets and synthetic_runs, on the latter for as long as its rows are written.

ALTER TABLE synthetic_budgets
    ADD COLUMN last_value double precision,
    ADD COLUMN last_result text NOT NULL DEFAULT 'unknown' CHECK (last_result IN ('passed', 'failed', 'unknown')),
    ADD COLUMN last_run_id uuid;
COMMENT ON COLUMN synthetic_budgets.last_run_id IS 'The run that it was last judged by, which may be gone; null: none.';
ALTER TABLE synthetic_runs ADD COLUMN exceeded integer NOT NULL DEFAULT 0 CHECK (exceeded >= 0);
COMMENT ON COLUMN synthetic_runs.exceeded IS 'How many of them were exceeded.';
UPDATE synthetic_runs SET exceeded = jsonb_array_length(jsonb_path_query_array(budgets, '$[*] ? (@.passed == false)'))
WHERE budgets @> '[{"passed": false}]';
