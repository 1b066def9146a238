-- One that was read before keeps its time.
INSERT INTO notification_reads (user_id, notification_id, read_at)
SELECT $1, n.id, CASE WHEN $4 THEN $5 END
FROM notifications AS n
WHERE n.id = $2 AND n.workspace_id = $3 AND n.domain_id IS NULL
ON CONFLICT (user_id, notification_id) DO UPDATE
SET read_at = CASE WHEN $4 THEN coalesce(notification_reads.read_at, EXCLUDED.read_at) END
