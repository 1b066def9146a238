-- Locks: SHARE ROW EXCLUSIVE on alert_channels for a moment.

CREATE OR REPLACE FUNCTION drop_deliveries() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    UPDATE alert_deliveries
    SET state = 'dropped', taken_until = NULL, ended_at = now()
    WHERE channel_id = NEW.id AND state = 'queued';
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION drop_deliveries () IS
    'Deliveries on their way to a channel that is switched off are dropped, whoever switches it off: they are not to arrive once the channel is on again.';

CREATE OR REPLACE TRIGGER drop_deliveries AFTER UPDATE OF off_reason ON alert_channels
    FOR EACH ROW
    WHEN (OLD.off_reason IS NULL AND NEW.off_reason IS NOT NULL)
    EXECUTE FUNCTION drop_deliveries();
