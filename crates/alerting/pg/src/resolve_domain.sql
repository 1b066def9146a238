WITH over AS (
    UPDATE alert_history SET resolved_at = greatest($2, fired_at)
    WHERE domain_id = $1 AND resolved_at IS NULL
    RETURNING notification_id, resolved_at
)
UPDATE notifications AS n
SET resolved_at = over.resolved_at
FROM over
WHERE n.id = over.notification_id
