-- The open alerts of rules are over, each at the moment and for the reason beside its rule, and so are the notifications that tell of them.
WITH over AS (
    UPDATE alert_history AS h
    SET resolved_at = greatest(ended.at, h.fired_at), end_reason = ended.reason
    FROM unnest($1, $2, $3) AS ended (rule_id, at, reason)
    WHERE h.rule_id = ended.rule_id AND h.resolved_at IS NULL
    RETURNING h.id, h.notification_id, h.resolved_at
),
told AS (
    UPDATE notifications AS n
    SET resolved_at = over.resolved_at
    FROM over
    WHERE n.id = over.notification_id
)
SELECT id FROM over
