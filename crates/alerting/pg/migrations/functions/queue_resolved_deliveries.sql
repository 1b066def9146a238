-- Locks: SHARE ROW EXCLUSIVE on notifications for a moment.

CREATE OR REPLACE FUNCTION queue_resolved_deliveries() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    queued uuid[];
BEGIN
    WITH added AS (
        INSERT INTO alert_deliveries (id, channel_id, notification_id, event, is_critical, state, created_at)
        SELECT uuid_v7(), d.channel_id, d.notification_id, 'resolved', n.severity = 'critical', 'queued', now()
        FROM notifications_now AS n
        JOIN notifications_before AS b ON b.id = n.id AND b.resolved_at IS NULL
        JOIN alert_deliveries AS d ON d.notification_id = n.id AND d.event = 'raised' AND d.state IN ('queued', 'sent')
        WHERE n.resolved_at IS NOT NULL
        ON CONFLICT DO NOTHING
        RETURNING id
    )
    SELECT array_agg(id) INTO queued FROM added;
    PERFORM send_deliveries(queued);
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION queue_resolved_deliveries () IS 'Whoever was told of something is told that it is over.';

CREATE OR REPLACE TRIGGER queue_resolved_deliveries AFTER UPDATE ON notifications
    REFERENCING OLD TABLE AS notifications_before NEW TABLE AS notifications_now
    FOR EACH STATEMENT EXECUTE FUNCTION queue_resolved_deliveries();
