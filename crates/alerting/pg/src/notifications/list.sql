-- The newest of each kind about a live domain, or of each workspace and kind, as far as a page may reach; each read by its index.
-- The index alone says what the filter lets through, so that what is rare is found without reading all else.
SELECT n.id, n.kind, n.severity, n.domain_id, d.hostname, n.workspace_id, w.name AS workspace_name, n.module, n.title, n.body,
    n.data, n.alert_id, n.created_at, n.resolved_at, n.resource_path,
    notification_read_at($6, n.id, n.domain_id, n.kind, n.created_at) AS read_at
FROM (
    SELECT of_kind.id, of_kind.created_at
    FROM unnest($3) AS k (kind)
    CROSS JOIN LATERAL (
        SELECT n.id, n.created_at FROM notifications AS n
        WHERE n.domain_id = $1
            AND n.kind = k.kind AND ($4 IS NULL OR n.severity = $4) AND ($5 IS NULL OR n.module = $5)
            -- With both bounds the planner takes the range for a small part of the table.
            AND n.created_at >= (SELECT '-infinity'::timestamptz) AND n.created_at <= (SELECT 'infinity'::timestamptz)
            AND (n.created_at, n.id) < (coalesce($7, 'infinity'), coalesce($8, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
        ORDER BY n.created_at DESC, n.id DESC
        LIMIT $9
    ) AS of_kind
    UNION ALL
    SELECT own.id, own.created_at
    FROM unnest($2) AS w (id)
    CROSS JOIN unnest($3) AS k (kind)
    CROSS JOIN LATERAL (
        SELECT n.id, n.created_at FROM notifications AS n
        WHERE n.workspace_id = w.id
            -- Read once a workspace, not once a row: what a deleted domain has left may be much.
            AND coalesce(
                n.domain_id <> ALL (ARRAY(
                    SELECT d.id FROM domains AS d WHERE d.workspace_id = w.id AND d.deleted_at IS NOT NULL
                )),
                true
            )
            AND n.kind = k.kind AND ($4 IS NULL OR n.severity = $4) AND ($5 IS NULL OR n.module = $5)
            AND n.created_at >= (SELECT '-infinity'::timestamptz) AND n.created_at <= (SELECT 'infinity'::timestamptz)
            AND (n.created_at, n.id) < (coalesce($7, 'infinity'), coalesce($8, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
        ORDER BY n.created_at DESC, n.id DESC
        LIMIT $9
    ) AS own
    ORDER BY created_at DESC, id DESC
    LIMIT $9
) AS page
JOIN notifications AS n ON n.id = page.id
LEFT JOIN domains AS d ON d.id = n.domain_id
JOIN workspaces AS w ON w.id = n.workspace_id
ORDER BY n.created_at DESC, n.id DESC
