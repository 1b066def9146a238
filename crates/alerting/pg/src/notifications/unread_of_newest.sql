-- Counts what a reader ($2) has not read of the newest $4 notifications about the live domains of a workspace ($1): no key marks
-- those about the workspace itself, so they are none of those. No more are looked at of each kind ($3), by the index of `list.sql`.
SELECT count(*) AS found
FROM (
    SELECT of_kind.id, of_kind.domain_id, of_kind.kind, of_kind.created_at
    FROM unnest($3) AS k (kind)
    CROSS JOIN LATERAL (
        SELECT n.id, n.domain_id, n.kind, n.created_at
        FROM notifications AS n
        WHERE n.workspace_id = $1
            -- Nothing is in an empty list, not even null.
            AND n.domain_id IS NOT NULL
            AND n.domain_id <> ALL (ARRAY(
                SELECT d.id FROM domains AS d WHERE d.workspace_id = $1 AND d.deleted_at IS NOT NULL
            ))
            AND n.kind = k.kind
            -- With both bounds the planner takes the range for a small part of the table.
            AND n.created_at >= (SELECT '-infinity'::timestamptz) AND n.created_at <= (SELECT 'infinity'::timestamptz)
        ORDER BY n.created_at DESC, n.id DESC
        LIMIT $4
    ) AS of_kind
    ORDER BY of_kind.created_at DESC, of_kind.id DESC
    LIMIT $4
) AS newest
WHERE notification_read_at($2, newest.id, newest.domain_id, newest.kind, newest.created_at) IS NULL
