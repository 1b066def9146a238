INSERT INTO notifications (id, workspace_id, kind, severity, title, body, data, created_at)
SELECT uuid_v7(), w.id, 'announcement', $2, $3, $4, '{}', $5
FROM workspaces AS w
WHERE $1 IS NULL OR w.id = $1
