WITH sent AS (
    UPDATE alert_deliveries
    SET state = 'sent', taken_until = NULL, attempts = attempts + 1, last_error = NULL, ended_at = now()
    WHERE id = ANY ($2)
),
works AS (
    UPDATE alert_channels AS c
    SET failing_since = NULL,
        failure_told_at = NULL,
        crowding_told_at = CASE WHEN NOT before.is_drained THEN c.crowding_told_at END,
        -- Nobody waits for the receiver any more; mails go on gathering.
        next_send_at = CASE
            WHEN c.target ->> 'kind' = 'email' THEN least(c.next_send_at, now() + make_interval(secs => $3))
        END
    FROM (
        SELECT a.id, a.failure_told_at, a.crowding_told_at,
            -- Half of what may wait, so that a channel which drops some again and again does not tell of each.
            CASE
                WHEN a.crowding_told_at IS NULL THEN false
                ELSE (
                    SELECT count(*)
                    FROM (
                        SELECT
                        FROM alert_deliveries AS d
                        WHERE d.channel_id = $1 AND d.state = 'queued' AND d.id <> ALL ($2)
                        LIMIT 500
                    ) AS waiting
                ) < 500
            END AS is_drained
        FROM alert_channels AS a
        WHERE a.id = $1
        FOR NO KEY UPDATE
    ) AS before
    WHERE c.id = before.id AND (c.failing_since IS NOT NULL OR c.failure_told_at IS NOT NULL OR before.is_drained)
    RETURNING c.workspace_id, c.crowding_told_at,
        least(before.failure_told_at, CASE WHEN before.is_drained THEN before.crowding_told_at END) AS told_at
),
-- Deliveries that waited for the receiver to work again are due at once, one after the other, and what is critical first.
woken AS (
    UPDATE jobs AS j
    SET run_at = now() + interval '10 milliseconds' * (d.number - 1)
    FROM (
        SELECT w.id, row_number() OVER (ORDER BY w.is_critical DESC, w.created_at, w.id) AS number
        FROM alert_deliveries AS w
        WHERE w.channel_id = $1 AND w.state = 'queued' AND w.id <> ALL ($2) AND EXISTS (SELECT FROM works)
    ) AS d
    WHERE j.id = d.id AND j.state = 'queued'
)
-- The notifications that told of the failures are over with them, and the one that told of what was dropped once few wait: until
-- then the channel has its moment.
UPDATE notifications AS n
SET resolved_at = greatest(now(), n.created_at)
FROM works
WHERE n.workspace_id = works.workspace_id
    AND n.created_at >= works.told_at
    AND n.created_at IS DISTINCT FROM works.crowding_told_at
    AND n.kind = 'module_disconnected'
    AND n.data ->> 'channel_id' = $1::text
    AND n.resolved_at IS NULL
