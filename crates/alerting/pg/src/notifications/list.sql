-- Of a live domain, or of each workspace the newest, as far as a page may reach; each read by its index.
SELECT n.id, n.kind, n.severity, n.domain_id, d.hostname, n.workspace_id, w.name AS workspace_name, n.module, n.title, n.body,
    n.data, n.alert_id, n.created_at, n.resolved_at, n.resource_path, r.read_at
FROM (
    (
        SELECT n.* FROM notifications AS n
        WHERE n.domain_id = $1
            AND ($3 IS NULL OR n.kind = $3) AND ($4 IS NULL OR n.severity = $4) AND ($5 IS NULL OR n.module = $5)
            AND ($6 IS NULL OR $6 <> EXISTS (
                SELECT FROM notification_reads AS r WHERE r.user_id = $7 AND r.notification_id = n.id
            ))
            AND ($8 IS NULL OR (n.created_at, n.id) < ($8, $9))
        ORDER BY n.created_at DESC, n.id DESC
        LIMIT $10
    )
    UNION ALL
    SELECT own.*
    FROM unnest($2) AS w (id)
    CROSS JOIN LATERAL (
        SELECT n.* FROM notifications AS n
        WHERE n.workspace_id = w.id
            AND NOT EXISTS (SELECT FROM domains AS d WHERE d.id = n.domain_id AND d.deleted_at IS NOT NULL)
            AND ($3 IS NULL OR n.kind = $3) AND ($4 IS NULL OR n.severity = $4) AND ($5 IS NULL OR n.module = $5)
            AND ($6 IS NULL OR $6 <> EXISTS (
                SELECT FROM notification_reads AS r WHERE r.user_id = $7 AND r.notification_id = n.id
            ))
            AND ($8 IS NULL OR (n.created_at, n.id) < ($8, $9))
        ORDER BY n.created_at DESC, n.id DESC
        LIMIT $10
    ) AS own
) AS n
LEFT JOIN domains AS d ON d.id = n.domain_id
JOIN workspaces AS w ON w.id = n.workspace_id
LEFT JOIN notification_reads AS r ON r.user_id = $7 AND r.notification_id = n.id
ORDER BY n.created_at DESC, n.id DESC
LIMIT $10
