-- Resolves the notifications which told that the channel did not work.
WITH channel AS (
    SELECT id, workspace_id, failure_told_at FROM alert_channels WHERE id = $1 FOR NO KEY UPDATE
)
UPDATE notifications AS n
SET resolved_at = greatest(now(), n.created_at)
FROM channel AS c
WHERE n.workspace_id = c.workspace_id
    AND n.created_at >= c.failure_told_at
    AND n.kind = 'module_disconnected'
    AND n.data ->> 'channel_id' = c.id::text
    AND n.resolved_at IS NULL
