-- Locks: ACCESS EXCLUSIVE on alert_deliveries for a moment.

ALTER TABLE alert_deliveries DROP COLUMN is_alone;
