-- Locks: ACCESS EXCLUSIVE on alert_evaluations for a moment.

ALTER TABLE alert_evaluations DROP COLUMN put_off_until;
