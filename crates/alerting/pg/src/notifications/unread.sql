-- Counts the notifications after the last mark of each domain and kind that were not marked alone, those that were marked as
-- unread, and those about a workspace that were not marked as read, which people do in the console alone.
SELECT (
    SELECT coalesce(sum(beyond.found), 0)
    FROM last_read_marks($6, $1, $2, $3) AS m
    CROSS JOIN LATERAL (
        SELECT count(*) AS found
        FROM notifications AS n
        -- With both bounds the planner takes the range for a small part of the table.
        WHERE n.domain_id = m.domain_id AND n.kind = m.kind AND n.created_at >= m.read_before AND n.created_at < 'infinity'
            AND ($4 IS NULL OR n.severity = $4) AND ($5 IS NULL OR n.module = $5)
            AND NOT EXISTS (SELECT FROM notification_reads AS r WHERE r.user_id = $6 AND r.notification_id = n.id)
    ) AS beyond
)::bigint + (
    SELECT count(*)
    FROM notification_reads AS r
    JOIN notifications AS n ON n.id = r.notification_id
    JOIN domains AS d ON d.id = n.domain_id
    WHERE r.user_id = $6 AND r.read_at IS NULL
        AND (d.id = $1 OR d.workspace_id = ANY ($2)) AND d.deleted_at IS NULL
        AND n.kind = ANY ($3) AND ($4 IS NULL OR n.severity = $4) AND ($5 IS NULL OR n.module = $5)
) + (
    SELECT count(*)
    FROM notifications AS n
    WHERE n.workspace_id = ANY ($2) AND n.domain_id IS NULL
        AND (SELECT r.read_at FROM notification_reads AS r WHERE r.user_id = $6 AND r.notification_id = n.id) IS NULL
        AND n.kind = ANY ($3) AND ($4 IS NULL OR n.severity = $4) AND ($5 IS NULL OR n.module = $5)
) AS found
