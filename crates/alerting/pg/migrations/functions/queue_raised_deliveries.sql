-- Locks: SHARE ROW EXCLUSIVE on notifications for a moment.

CREATE OR REPLACE FUNCTION queue_raised_deliveries() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    queued uuid[];
    dropped uuid[];
BEGIN
    WITH wanted AS MATERIALIZED (
        SELECT c.id AS channel_id, n.id AS notification_id, n.created_at, n.severity = 'critical' AS is_critical, told.event
        FROM new_notifications AS n
        JOIN alert_channels AS c ON c.workspace_id = n.workspace_id
        -- A notification that is over as it begins needs no end, but where what was opened stays open until it is closed.
        JOIN (VALUES ('raised'), ('resolved')) AS told (event)
            ON told.event = 'raised' OR (n.resolved_at IS NOT NULL AND c.target ->> 'kind' IN ('pagerduty', 'opsgenie'))
        WHERE c.off_reason IS NULL
            AND (c.domain_id IS NULL OR c.domain_id = n.domain_id)
            AND (c.modules IS NULL OR n.module = ANY (c.modules))
            AND array_position(ARRAY['info', 'warning', 'critical'], n.severity)
                >= array_position(ARRAY['info', 'warning', 'critical'], c.min_severity)
            -- A channel is not told about itself.
            AND n.data ->> 'channel_id' IS DISTINCT FROM c.id::text
        -- A channel that is being deleted is waited for, and left out.
        FOR KEY SHARE OF c
    ),
    -- Each channel is looked at once, and no further than to its limits. Critical deliveries are counted apart: none that is
    -- lesser, and may wait on purpose, takes their place.
    waiting AS MATERIALIZED (
        SELECT of_channel.channel_id, of_channel.is_critical, (
            SELECT count(*)
            FROM (
                SELECT
                FROM alert_deliveries AS d
                WHERE d.channel_id = of_channel.channel_id
                    AND d.is_critical = of_channel.is_critical
                    AND d.state = 'queued'
                LIMIT 1000
            ) AS before
        ) AS deliveries
        FROM (SELECT DISTINCT channel_id, is_critical FROM wanted) AS of_channel
    ),
    -- Those of this statement count as well, the oldest first. The beginning and the end of one notification have the same number.
    placed AS (
        SELECT w.*, before.deliveries + dense_rank() OVER (
            PARTITION BY w.channel_id, w.is_critical ORDER BY w.created_at, w.notification_id
        ) > 1000 AS is_dropped
        FROM wanted AS w
        JOIN waiting AS before ON before.channel_id = w.channel_id AND before.is_critical = w.is_critical
    ),
    added AS (
        INSERT INTO alert_deliveries (
            id, channel_id, notification_id, event, is_critical, state, last_error, created_at, ended_at
        )
        SELECT uuid_v7(), p.channel_id, p.notification_id, p.event, p.is_critical,
            CASE WHEN p.is_dropped THEN 'dropped' ELSE 'queued' END,
            CASE WHEN p.is_dropped THEN '1,000 deliveries were waiting for the channel already' END,
            now(), CASE WHEN p.is_dropped THEN now() END
        FROM placed AS p
        RETURNING id, state
    )
    SELECT array_agg(id) FILTER (WHERE state = 'queued'), array_agg(id) FILTER (WHERE state = 'dropped')
    INTO queued, dropped
    FROM added;
    PERFORM send_deliveries(queued);
    PERFORM tell_dropped_deliveries(dropped);
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION queue_raised_deliveries () IS
    'Queues new notifications for the channels that want them, so that whoever stores a notification need not know of channels. A channel with 1,000 critical ones waiting gets no further critical ones, and likewise of the others.';

CREATE OR REPLACE TRIGGER queue_raised_deliveries AFTER INSERT ON notifications
    REFERENCING NEW TABLE AS new_notifications
    FOR EACH STATEMENT EXECUTE FUNCTION queue_raised_deliveries();
