-- Locks: SHARE ROW EXCLUSIVE on notifications for a moment.

CREATE OR REPLACE FUNCTION queue_raised_deliveries() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
    queued uuid[];
BEGIN
    -- The receivers of these take nothing, or less than comes. Each channel is looked at once, and no further than to its limit.
    WITH crowded AS MATERIALIZED (
        SELECT c.id
        FROM alert_channels AS c
        WHERE c.workspace_id IN (SELECT n.workspace_id FROM new_notifications AS n)
            AND c.off_reason IS NULL
            AND (
                SELECT count(*)
                FROM (
                    SELECT FROM alert_deliveries AS d WHERE d.channel_id = c.id AND d.state = 'queued' LIMIT 1000
                ) AS waiting
            ) >= 1000
    ),
    added AS (
        INSERT INTO alert_deliveries (id, channel_id, notification_id, event, state, last_error, created_at, ended_at)
        SELECT uuid_v7(), c.id, n.id, told.event, CASE WHEN crowded.id IS NULL THEN 'queued' ELSE 'dropped' END,
            CASE WHEN crowded.id IS NOT NULL THEN '1,000 deliveries were waiting for the channel already' END,
            now(), CASE WHEN crowded.id IS NOT NULL THEN now() END
        FROM new_notifications AS n
        JOIN alert_channels AS c ON c.workspace_id = n.workspace_id
        LEFT JOIN crowded ON crowded.id = c.id
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
        RETURNING id, state
    )
    SELECT array_agg(id) FILTER (WHERE state = 'queued') INTO queued FROM added;
    PERFORM send_deliveries(queued);
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION queue_raised_deliveries () IS
    'Queues new notifications for the channels that want them, so that whoever stores a notification need not know of channels. A channel with 1,000 waiting gets no further ones.';

CREATE OR REPLACE TRIGGER queue_raised_deliveries AFTER INSERT ON notifications
    REFERENCING NEW TABLE AS new_notifications
    FOR EACH STATEMENT EXECUTE FUNCTION queue_raised_deliveries();
