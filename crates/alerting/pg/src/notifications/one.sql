SELECT n.id, n.kind, n.severity, n.domain_id, d.hostname, n.workspace_id, w.name AS workspace_name, n.module, n.title, n.body,
    n.data, n.alert_id, n.created_at, n.resolved_at, n.resource_path,
    notification_read_at($3, n.id, n.domain_id, n.kind, n.created_at) AS read_at
FROM notifications AS n
JOIN domains AS d ON d.id = n.domain_id
JOIN workspaces AS w ON w.id = n.workspace_id
WHERE n.domain_id = $1 AND n.id = $2
