CREATE OR REPLACE FUNCTION reopen_delivery(delivery uuid) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    queued uuid[];
BEGIN
    UPDATE alert_deliveries SET state = 'queued', ended_at = NULL, sent_again_at = now()
    WHERE id = delivery AND state = 'failed';
    IF NOT FOUND THEN
        RETURN;
    END IF;
    -- Whoever ends it at this moment either is waited for, or queues the end itself.
    PERFORM FROM notifications AS n
    JOIN alert_deliveries AS d ON d.notification_id = n.id
    WHERE d.id = delivery AND d.event = 'raised'
    FOR SHARE OF n;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    DELETE FROM alert_deliveries AS e
    USING alert_deliveries AS d
    WHERE d.id = delivery
        AND e.notification_id = d.notification_id
        AND e.channel_id = d.channel_id
        AND e.event = 'resolved'
        AND e.state IN ('failed', 'dropped');
    WITH added AS (
        INSERT INTO alert_deliveries (id, channel_id, notification_id, event, is_critical, state, created_at)
        SELECT uuid_v7(), d.channel_id, n.id, 'resolved', n.severity = 'critical', 'queued', now()
        FROM alert_deliveries AS d
        JOIN notifications AS n ON n.id = d.notification_id
        JOIN alert_channels AS c ON c.id = d.channel_id
        WHERE d.id = delivery
            -- As queue_raised_deliveries has it of what is over as it begins.
            AND (n.resolved_at > n.created_at
                OR (n.resolved_at IS NOT NULL AND c.target ->> 'kind' IN ('pagerduty', 'opsgenie')))
        ON CONFLICT DO NOTHING
        RETURNING id
    )
    SELECT array_agg(id) INTO queued FROM added;
    PERFORM send_deliveries(queued);
END
$$;
COMMENT ON FUNCTION reopen_delivery (uuid) IS
    'A dead letter that is sent again is on its way again, and with it the word that it is over, which was dropped or came to nobody.';
