-- Critical deliveries have a bound of their own among those that wait for a channel, and a channel says that it has dropped some.
-- Locks: ACCESS EXCLUSIVE on alert_deliveries while the index of those that are queued is made anew, which are few; alert_channels
-- has at most 50 rows a workspace.

ALTER TABLE alert_deliveries ADD COLUMN is_critical boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN alert_deliveries.is_critical IS
    'Whether its notification was critical as it was queued: those have a bound of their own among what waits, and are taken first.';
DROP INDEX alert_deliveries_queued_idx;
CREATE INDEX alert_deliveries_queued_idx ON alert_deliveries (channel_id, is_critical, created_at, id) WHERE state = 'queued';
ALTER TABLE alert_channels ADD COLUMN crowding_told_at timestamptz;
COMMENT ON COLUMN alert_channels.crowding_told_at IS
    'When a notification told that deliveries were dropped since too many waited. Null: none were since few waited.';

UPDATE alert_deliveries AS d
SET is_critical = true
FROM notifications AS n
WHERE n.id = d.notification_id AND n.severity = 'critical' AND d.state = 'queued';
