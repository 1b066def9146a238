INSERT INTO notification_reads (user_id, notification_id, read_at)
SELECT $2, n.id, $5
FROM notifications AS n
WHERE n.domain_id = $1 AND ($3 IS NULL OR n.kind = $3) AND n.created_at < $4
    AND NOT EXISTS (SELECT FROM notification_reads AS r WHERE r.user_id = $2 AND r.notification_id = n.id)
ON CONFLICT DO NOTHING
