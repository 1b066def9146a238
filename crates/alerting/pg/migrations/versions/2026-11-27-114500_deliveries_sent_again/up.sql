-- A dead letter that is sent again has its time anew, and pauses that were stored for channels which do not gather are over.
-- Locks: ACCESS EXCLUSIVE on alert_deliveries for a moment; alert_channels has at most 50 rows a workspace.

ALTER TABLE alert_deliveries ADD COLUMN sent_again_at timestamptz;
COMMENT ON COLUMN alert_deliveries.sent_again_at IS 'When somebody had it sent again last, after it was given up. Null: nobody had.';

-- Older versions had all deliveries wait as long as the one that failed. A receiver that asked for as long is asked once more.
UPDATE alert_channels SET next_send_at = NULL WHERE next_send_at > now() + interval '5 minutes';
