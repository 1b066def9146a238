-- How many items each job of a run does.
-- Locks: ACCESS EXCLUSIVE on jobs and runs while columns without a default are added.

ALTER TABLE jobs
    ADD COLUMN total_items integer CHECK (total_items >= 0),
    ADD COLUMN completed_items integer CHECK (completed_items >= 0),
    ADD COLUMN failed_items integer CHECK (failed_items >= 0);
COMMENT ON COLUMN jobs.total_items IS 'How many items of its run it does, as its handler noted; null: it has not, or has none.';
COMMENT ON COLUMN jobs.completed_items IS 'How many of them are done.';
COMMENT ON COLUMN jobs.failed_items IS 'How many of them failed.';

ALTER TABLE runs ADD COLUMN requested_items integer CHECK (requested_items >= 0);
COMMENT ON COLUMN runs.requested_items IS 'How many items it was asked for with; null: its jobs find that out.';
COMMENT ON COLUMN runs.total_items IS 'How many items it has: those that it was asked for with, or those of its jobs. Null: it has none.';
