-- Counts the notifications after the last mark of each domain and kind that were not marked alone, those that were marked as
-- unread, and those about a workspace that were not marked as read, which people do in the console alone. No more than $7 are
-- counted, or looked at where the filter lets all through.
SELECT count(*) AS found
FROM (
    (
        SELECT 1
        FROM last_read_marks($6, $1, $2, $3) AS m
        CROSS JOIN LATERAL (
            SELECT 1
            FROM notifications AS n
            -- With both bounds the planner takes the range for a small part of the table.
            WHERE n.domain_id = m.domain_id AND n.kind = m.kind AND n.created_at >= m.read_before AND n.created_at < 'infinity'
                AND ($4 IS NULL OR n.severity = $4) AND ($5 IS NULL OR n.module = $5)
                -- One by one, as far as they are needed: a join may read all of either side first.
                AND (SELECT true FROM notification_reads AS r WHERE r.user_id = $6 AND r.notification_id = n.id) IS NULL
            -- In the order of the index, so that nothing else is read.
            ORDER BY n.created_at DESC, n.id DESC
            LIMIT $7
        ) AS beyond
    )
    UNION ALL
    (
        SELECT 1
        FROM notification_reads AS r
        JOIN notifications AS n ON n.id = r.notification_id
        JOIN domains AS d ON d.id = n.domain_id
        WHERE r.user_id = $6 AND r.read_at IS NULL
            AND (d.id = $1 OR d.workspace_id = ANY ($2)) AND d.deleted_at IS NULL
            AND n.kind = ANY ($3) AND ($4 IS NULL OR n.severity = $4) AND ($5 IS NULL OR n.module = $5)
    )
    UNION ALL
    (
        SELECT 1
        FROM unnest($2) AS w (id)
        CROSS JOIN LATERAL (
            SELECT 1
            FROM notifications AS n
            WHERE n.workspace_id = w.id AND n.domain_id IS NULL
                AND (SELECT r.read_at FROM notification_reads AS r WHERE r.user_id = $6 AND r.notification_id = n.id) IS NULL
                AND n.kind = ANY ($3) AND ($4 IS NULL OR n.severity = $4) AND ($5 IS NULL OR n.module = $5)
            ORDER BY n.created_at DESC, n.id DESC
            LIMIT $7
        ) AS own
    )
    LIMIT $7
) AS unread
