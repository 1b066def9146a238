UPDATE alert_deliveries SET state = 'dropped', taken_until = NULL, ended_at = now()
WHERE id = $1 AND state = 'queued'
