-- Locks: ACCESS EXCLUSIVE on alert_evaluations for a moment.

ALTER TABLE alert_evaluations DROP COLUMN told_through;
