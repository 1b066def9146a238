-- Which of these the mail server refuses shows once each is sent alone, which is next: that waits for no pause between mails, but
-- for one that a mail server which fails is left alone for. Deliveries that come meanwhile gather.
WITH apart AS (
    UPDATE alert_deliveries
    SET is_alone = true, taken_until = NULL, attempts = attempts + 1, last_error = $3
    WHERE id = ANY ($2) AND state = 'queued'
),
woken AS (
    UPDATE jobs SET run_at = now() WHERE id = ANY ($2) AND state = 'queued'
)
UPDATE alert_channels AS c
SET next_send_at = CASE
    -- As `waiting.sql` has it: mails that were refused before say nothing of others, which go on gathering.
    WHEN c.failing_since IS NULL OR NOT EXISTS (
        SELECT FROM alert_deliveries AS o
        WHERE o.channel_id = c.id AND o.state = 'queued' AND o.attempts > CASE WHEN o.is_alone THEN 1 ELSE 0 END
    ) THEN now() + make_interval(secs => $4)
END
WHERE c.id = $1
