-- Events that happen together wait in one row for each rule.
-- Locks: ACCESS EXCLUSIVE on alert_pending_events for a moment.

ALTER TABLE alert_pending_events ADD COLUMN events integer NOT NULL DEFAULT 1;
COMMENT ON COLUMN alert_pending_events.events IS
    'How many events the row stands for: those of one statement, or of rows that were merged. Time and context are those of the last.';
