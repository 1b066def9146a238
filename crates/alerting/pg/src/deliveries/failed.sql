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
SET failing_since = coalesce(c.failing_since, now()),
    -- What waits for the next mail is tried again with this.
    next_mail_at = NULL,
    off_reason = CASE WHEN $5 THEN coalesce(c.off_reason, $3) ELSE c.off_reason END,
    failure_told_at = CASE
        WHEN c.failure_told_at IS NULL AND c.failing_since <= now() - make_interval(secs => $6) THEN now()
        ELSE c.failure_told_at
    END
FROM (SELECT * FROM alert_channels WHERE id = $1 FOR NO KEY UPDATE) AS before
WHERE c.id = before.id
RETURNING c.failure_told_at IS DISTINCT FROM before.failure_told_at OR c.off_reason IS DISTINCT FROM before.off_reason
    AS is_to_be_told
