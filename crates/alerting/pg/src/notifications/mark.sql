-- A notification that was read before keeps its time.
INSERT INTO notification_reads (user_id, notification_id, read_at)
SELECT $1, n.id,
    CASE WHEN $3 THEN coalesce(notification_read_at($1, n.id, n.domain_id, n.kind, n.created_at), $4) END
FROM notifications AS n
WHERE n.id = $2
ON CONFLICT (user_id, notification_id) DO UPDATE SET read_at = EXCLUDED.read_at
