CREATE OR REPLACE FUNCTION tell_dropped_deliveries(dropped uuid[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    -- A channel of which nothing was dropped is the rule.
    IF dropped IS NULL THEN
        RETURN;
    END IF;
    INSERT INTO jobs (id, kind, payload, state, run_at, attempts, max_attempts, created_at, workspace_id)
    SELECT d.one, 'alert_delivery',
        jsonb_build_object('delivery_id', d.one, 'workspace_id', c.workspace_id, 'dropped', d.deliveries), 'queued', now(), 0,
        11, now(), c.workspace_id
    FROM (
        SELECT channel_id, (array_agg(id))[1] AS one, count(*) AS deliveries
        FROM alert_deliveries
        WHERE id = ANY (dropped)
        GROUP BY channel_id
    ) AS d
    JOIN alert_channels AS c ON c.id = d.channel_id;
    PERFORM pg_notify('pharos_jobs', 'alert_delivery');
END
$$;
COMMENT ON FUNCTION tell_dropped_deliveries (uuid[]) IS
    'Asks for a job a channel that counts its deliveries which were dropped as they came, and tells of them. It writes to no channel, since whoever stores a notification is to wait for none.';
