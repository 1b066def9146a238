-- Locks: ACCESS EXCLUSIVE on alert_pending_events for a moment.

ALTER TABLE alert_pending_events DROP COLUMN events;
