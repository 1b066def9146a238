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
UPDATE alert_channels
SET next_send_at = CASE WHEN failing_since IS NULL THEN now() + make_interval(secs => $4) END
WHERE id = $1
