-- Tells whether a notification should tell of it: the channel has failed for so long, or is switched off.
WITH ended AS (
    UPDATE alert_deliveries
    SET state = CASE WHEN $4 THEN 'failed' ELSE state END,
        taken_until = NULL,
        attempts = attempts + 1,
        last_error = $3,
        ended_at = CASE WHEN $4 THEN now() ELSE ended_at END
    WHERE id = ANY ($2)
)
UPDATE alert_channels AS c
SET
    failing_since = CASE
        -- Others that were refused with it are still to be sent alone: they show whether the mail server takes anything.
        WHEN $4 AND c.failing_since IS NULL AND EXISTS (
            SELECT FROM alert_deliveries AS o
            WHERE o.channel_id = c.id AND o.state = 'queued' AND o.is_alone AND o.id <> ALL ($2)
        ) THEN NULL
        -- One that lies ahead was written by a clock that was wrong.
        ELSE least(c.failing_since, now())
    END,
    next_send_at = CASE
        -- The delivery is given up, which tells nothing of others. Mails go on gathering.
        WHEN $4 THEN CASE WHEN c.target ->> 'kind' = 'email' THEN c.next_send_at END
        ELSE now() + greatest(
            make_interval(secs => $7),
            least(greatest(now() - c.failing_since, make_interval(secs => $8)), make_interval(secs => $9))
        )
    END,
    off_reason = CASE WHEN $5 THEN coalesce(c.off_reason, $3) ELSE c.off_reason END,
    -- That of the first notification since the last success, or since it was switched on: with the next one all of them are
    -- over.
    failure_told_at = CASE
        WHEN c.failing_since <= now() - make_interval(secs => $6) OR ($5 AND c.off_reason IS NULL)
        THEN coalesce(c.failure_told_at, now())
        ELSE c.failure_told_at
    END
FROM (SELECT * FROM alert_channels WHERE id = $1 FOR NO KEY UPDATE) AS before
WHERE c.id = before.id
RETURNING (before.failure_told_at IS NULL AND c.failure_told_at IS NOT NULL)
    OR c.off_reason IS DISTINCT FROM before.off_reason AS is_to_be_told,
    now() AS present
