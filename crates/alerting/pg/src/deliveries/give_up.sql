-- The last error stays; what was never tried itself has none.
UPDATE alert_deliveries
SET state = 'failed',
    taken_until = NULL,
    last_error = coalesce(last_error, 'nothing has reached the receiver for a day'),
    ended_at = now()
WHERE id = $1 AND state = 'queued'
RETURNING last_error
