CREATE OR REPLACE FUNCTION send_deliveries(queued uuid[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO jobs (id, kind, payload, state, run_at, attempts, max_attempts, created_at, workspace_id)
    SELECT d.id, 'alert_delivery',
        jsonb_build_object(
            'delivery_id', d.id, 'workspace_id', c.workspace_id, 'channel_id', c.id,
            -- Nobody who tries a channel waits for what is on its way to it.
            'is_urgent', d.is_critical OR d.event = 'test'
        ),
        'queued',
        -- As fast as those of a workspace that find no place look for one again: what is critical is claimed before many others.
        now() + CASE
            WHEN d.is_critical OR d.event = 'test' THEN interval '0'
            ELSE least(
                interval '5 minutes',
                interval '10 milliseconds' * (row_number() OVER (PARTITION BY c.workspace_id, d.is_critical ORDER BY d.id) - 1)
            )
        END,
        0, 11, now(), c.workspace_id
    FROM alert_deliveries AS d
    JOIN alert_channels AS c ON c.id = d.channel_id
    WHERE d.id = ANY (queued);
    IF FOUND THEN
        PERFORM pg_notify('pharos_jobs', 'alert_delivery');
    END IF;
END
$$;
COMMENT ON FUNCTION send_deliveries (uuid[]) IS
    'Asks for the jobs that send deliveries: kind, payload and attempts as alerting::delivery has them.';
