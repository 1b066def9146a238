-- Locks: ACCESS EXCLUSIVE on alert_deliveries for a moment.

ALTER TABLE alert_deliveries DROP COLUMN sent_again_at;
