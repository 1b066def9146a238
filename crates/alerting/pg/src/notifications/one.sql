SELECT n.id, n.kind, n.severity, n.domain_id, d.hostname, n.workspace_id, w.name AS workspace_name, n.module, n.title, n.body,
    n.data, n.alert_id, n.created_at, n.resolved_at, n.resource_path, r.read_at
FROM notifications AS n
JOIN domains AS d ON d.id = n.domain_id
JOIN workspaces AS w ON w.id = n.workspace_id
LEFT JOIN notification_reads AS r ON r.user_id = $3 AND r.notification_id = n.id
WHERE n.domain_id = $1 AND n.id = $2
