-- Locks: SHARE ROW EXCLUSIVE on notifications for a moment.

CREATE OR REPLACE FUNCTION queue_raised_deliveries() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    queued uuid[];
BEGIN
    WITH added AS (
        INSERT INTO alert_deliveries (id, channel_id, notification_id, event, state, created_at)
        SELECT uuid_v7(), c.id, n.id, 'raised', 'queued', now()
        FROM new_notifications AS n
        JOIN alert_channels AS c ON c.workspace_id = n.workspace_id
        WHERE c.off_reason IS NULL
            AND (c.domain_id IS NULL OR c.domain_id = n.domain_id)
            AND (c.modules IS NULL OR n.module = ANY (c.modules))
            AND array_position(ARRAY['info', 'warning', 'critical'], n.severity)
                >= array_position(ARRAY['info', 'warning', 'critical'], c.min_severity)
            -- A channel is not told about itself.
            AND n.data ->> 'channel_id' IS DISTINCT FROM c.id::text
        -- A channel that is being deleted is waited for, and left out.
        FOR KEY SHARE OF c
        RETURNING id
    )
    SELECT array_agg(id) INTO queued FROM added;
    PERFORM send_deliveries(queued);
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION queue_raised_deliveries () IS
    'Queues new notifications for the channels that want them, so that whoever stores a notification need not know of channels.';

CREATE OR REPLACE TRIGGER queue_raised_deliveries AFTER INSERT ON notifications
    REFERENCING NEW TABLE AS new_notifications
    FOR EACH STATEMENT EXECUTE FUNCTION queue_raised_deliveries();
