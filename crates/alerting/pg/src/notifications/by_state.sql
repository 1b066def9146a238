-- Only unread notifications ($9), or only read ones. The first part looks at those alone of each domain and kind that lie on one
-- side of the last mark; the second at all that were marked one by one, as unread or as read: the few that were marked as unread
-- have an index of their own. Notifications about a workspace have no marks.
WITH kept AS (
    (
        SELECT beyond.id, beyond.created_at
        FROM last_read_marks($6, $1, $2, $3) AS m
        CROSS JOIN LATERAL (
            SELECT n.id, n.created_at
            FROM notifications AS n
            WHERE n.domain_id = m.domain_id AND n.kind = m.kind
                AND n.created_at >= CASE WHEN $9 THEN m.read_before ELSE '-infinity' END
                AND n.created_at < CASE WHEN $9 THEN 'infinity' ELSE m.read_before END
                AND ($4 IS NULL OR n.severity = $4) AND ($5 IS NULL OR n.module = $5)
                -- One by one, as far as they are needed: a join may read all of either side first.
                AND (SELECT true FROM notification_reads AS r WHERE r.user_id = $6 AND r.notification_id = n.id) IS NULL
                AND (n.created_at, n.id) < (coalesce($7, 'infinity'), coalesce($8, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
            ORDER BY n.created_at DESC, n.id DESC
            LIMIT $10
        ) AS beyond
    )
    UNION ALL
    SELECT n.id, n.created_at
    FROM notification_reads AS r
    JOIN notifications AS n ON n.id = r.notification_id
    JOIN domains AS d ON d.id = n.domain_id
    WHERE $9 AND r.user_id = $6 AND r.read_at IS NULL
        AND (d.id = $1 OR d.workspace_id = ANY ($2)) AND d.deleted_at IS NULL
        AND n.kind = ANY ($3) AND ($4 IS NULL OR n.severity = $4) AND ($5 IS NULL OR n.module = $5)
        AND (n.created_at, n.id) < (coalesce($7, 'infinity'), coalesce($8, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
    UNION ALL
    SELECT n.id, n.created_at
    FROM notification_reads AS r
    CROSS JOIN LATERAL (
        SELECT n.id, n.domain_id, n.created_at
        FROM notifications AS n
        WHERE n.id = r.notification_id AND n.kind = ANY ($3) AND ($4 IS NULL OR n.severity = $4) AND ($5 IS NULL OR n.module = $5)
            AND (n.created_at, n.id) < (coalesce($7, 'infinity'), coalesce($8, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
        -- They are looked up one by one, too.
        LIMIT 1
    ) AS n
    JOIN domains AS d ON d.id = n.domain_id
    WHERE NOT $9 AND r.user_id = $6 AND r.read_at IS NOT NULL
        AND (d.id = $1 OR d.workspace_id = ANY ($2)) AND d.deleted_at IS NULL
    UNION ALL
    SELECT own.id, own.created_at
    FROM unnest($2) AS w (id)
    CROSS JOIN LATERAL (
        SELECT n.id, n.created_at
        FROM notifications AS n
        WHERE n.workspace_id = w.id AND n.domain_id IS NULL
            AND $9 = ((SELECT r.read_at FROM notification_reads AS r WHERE r.user_id = $6 AND r.notification_id = n.id) IS NULL)
            AND n.kind = ANY ($3) AND ($4 IS NULL OR n.severity = $4) AND ($5 IS NULL OR n.module = $5)
            AND (n.created_at, n.id) < (coalesce($7, 'infinity'), coalesce($8, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
        ORDER BY n.created_at DESC, n.id DESC
        LIMIT $10
    ) AS own
)
SELECT n.id, n.kind, n.severity, n.domain_id, d.hostname, n.workspace_id, w.name AS workspace_name, n.module, n.title, n.body,
    n.data, n.alert_id, n.created_at, n.resolved_at, n.resource_path,
    notification_read_at($6, n.id, n.domain_id, n.kind, n.created_at) AS read_at
FROM (SELECT id FROM kept ORDER BY created_at DESC, id DESC LIMIT $10) AS page
JOIN notifications AS n ON n.id = page.id
LEFT JOIN domains AS d ON d.id = n.domain_id
JOIN workspaces AS w ON w.id = n.workspace_id
ORDER BY n.created_at DESC, n.id DESC
