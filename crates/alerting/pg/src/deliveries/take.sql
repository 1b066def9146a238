-- The delivery itself; where $4 is a severity, what else waits for its channel and is this bad, what is critical first and then
-- the oldest, but what is sent alone; and where $6, what tells that it is over already.
WITH chosen AS (
    (
        SELECT d.id FROM alert_deliveries AS d WHERE d.id = $2
    )
    UNION
    (
        SELECT d.id
        FROM alert_deliveries AS d
        JOIN notifications AS n ON n.id = d.notification_id
        WHERE d.channel_id = $1
            AND d.state = 'queued'
            AND NOT d.is_alone
            AND delivery_taken_until(d.taken_until, $3) IS NULL
            AND array_position(ARRAY['info', 'warning', 'critical'], n.severity)
                >= array_position(ARRAY['info', 'warning', 'critical'], $4)
            AND d.id <> $2
            -- An end whose beginning nobody was told of, or another is telling at this moment, waits until its own job looks at it.
            AND NOT (
                d.event = 'resolved'
                AND EXISTS (
                    SELECT FROM alert_deliveries AS raised
                    WHERE raised.notification_id = d.notification_id
                        AND raised.channel_id = d.channel_id
                        AND raised.event = 'raised'
                        AND raised.id <> $2
                        AND (
                            raised.state IN ('failed', 'dropped')
                            OR raised.state = 'queued'
                                AND (raised.is_alone OR delivery_taken_until(raised.taken_until, $3) IS NOT NULL)
                        )
                )
            )
        ORDER BY d.is_critical DESC, d.created_at, d.id
        LIMIT $5
    )
    UNION
    (
        SELECT over.id
        FROM alert_deliveries AS d
        JOIN alert_deliveries AS over
            ON over.notification_id = d.notification_id AND over.channel_id = d.channel_id AND over.event = 'resolved'
        WHERE $6
            AND d.id = $2
            AND d.event = 'raised'
            AND over.state = 'queued'
            AND delivery_taken_until(over.taken_until, $3) IS NULL
    )
),
taken AS (
    UPDATE alert_deliveries AS d
    SET taken_until = clock_timestamp() + make_interval(secs => $3)
    FROM chosen
    WHERE d.id = chosen.id
    RETURNING d.id, d.event, d.notification_id, d.created_at
)
SELECT t.id, t.event, t.created_at AS asked_at, n.id AS notification_id, n.kind, n.severity, n.module, n.domain_id,
    o.hostname, n.title, n.body, n.data, n.alert_id, n.created_at, n.resolved_at
FROM taken AS t
LEFT JOIN notifications AS n ON n.id = t.notification_id
LEFT JOIN domains AS o ON o.id = n.domain_id
ORDER BY t.created_at, t.id
