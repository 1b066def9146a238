-- Locks: ACCESS EXCLUSIVE on alert_deliveries while the index of those that are queued is made anew.

ALTER TABLE alert_channels DROP COLUMN crowding_told_at;
DROP INDEX alert_deliveries_queued_idx;
ALTER TABLE alert_deliveries DROP COLUMN is_critical;
CREATE INDEX alert_deliveries_queued_idx ON alert_deliveries (channel_id, created_at, id) WHERE state = 'queued';
