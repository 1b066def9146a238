-- Takes back the items of jobs, data and all.
-- Locks: ACCESS EXCLUSIVE on jobs and runs for a moment.

ALTER TABLE runs DROP COLUMN requested_items;
COMMENT ON COLUMN runs.total_items IS 'How many items it consists of; null: it has none.';
ALTER TABLE jobs DROP COLUMN total_items, DROP COLUMN completed_items, DROP COLUMN failed_items;
