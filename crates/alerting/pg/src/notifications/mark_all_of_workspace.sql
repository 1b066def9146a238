-- Those that were read before keep their time, and are not counted.
INSERT INTO notification_reads (user_id, notification_id, read_at)
SELECT $1, n.id, $4
FROM notifications AS n
WHERE n.workspace_id = $2 AND n.domain_id IS NULL AND n.kind = ANY ($3)
ON CONFLICT (user_id, notification_id) DO UPDATE
SET read_at = EXCLUDED.read_at
WHERE notification_reads.read_at IS NULL
