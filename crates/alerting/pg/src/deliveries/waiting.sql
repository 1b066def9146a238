-- The lock on the channel has its deliveries taken one after the other. A delivery that told of the beginning counts as given up
-- once nobody sends it any more.
SELECT c.id AS channel_id, w.name AS workspace_name, d.event, d.state, coalesce(n.severity, 'info') AS severity,
    coalesce(d.sent_again_at, d.created_at) AS queued_at, delivery_taken_until(d.taken_until, $2) AS taken_until,
    -- A delivery that tells of an end is sent alone where the one that tells of its beginning is.
    d.is_alone OR coalesce(raised.is_alone, false) AS is_alone, c.next_send_at, c.failing_since, clock_timestamp() AS present,
    CASE
        WHEN raised.state = 'queued'
            AND NOT EXISTS (SELECT FROM jobs AS j WHERE j.id = raised.id AND j.state IN ('queued', 'running'))
        THEN 'failed'
        ELSE raised.state
    END AS raised,
    (SELECT j.run_at FROM jobs AS j WHERE j.id = raised.id AND j.state = 'queued') AS raised_due_at,
    delivery_taken_until(raised.taken_until, $2) AS raised_taken_until,
    -- One that was refused with others and is sent alone was tried once, which was for their sake.
    c.failing_since IS NOT NULL AND EXISTS (
        SELECT FROM alert_deliveries AS o
        WHERE o.channel_id = d.channel_id AND o.state = 'queued' AND o.attempts > CASE WHEN o.is_alone THEN 1 ELSE 0 END
    ) AS rests,
    CASE
        WHEN c.failing_since IS NOT NULL THEN (
            SELECT max(delivery_taken_until(o.taken_until, $2)) FROM alert_deliveries AS o
            WHERE o.channel_id = d.channel_id AND o.state = 'queued' AND o.id <> d.id
        )
    END AS tried_until
FROM alert_deliveries AS d
JOIN alert_channels AS c ON c.id = d.channel_id
JOIN workspaces AS w ON w.id = c.workspace_id
LEFT JOIN notifications AS n ON n.id = d.notification_id
LEFT JOIN alert_deliveries AS raised
    ON d.event = 'resolved' AND raised.notification_id = d.notification_id AND raised.channel_id = d.channel_id
        AND raised.event = 'raised'
WHERE d.id = $1
FOR NO KEY UPDATE OF c
