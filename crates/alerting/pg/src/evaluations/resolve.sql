WITH over AS (
    UPDATE alert_history SET resolved_at = greatest($2, fired_at)
    WHERE rule_id = ANY ($1) AND resolved_at IS NULL
    RETURNING id, notification_id, resolved_at
),
told AS (
    UPDATE notifications AS n SET resolved_at = over.resolved_at
    FROM over
    WHERE n.id = over.notification_id
)
SELECT id FROM over
