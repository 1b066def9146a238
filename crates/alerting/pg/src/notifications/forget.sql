-- The oldest of each workspace and kind ($4), each read by the index of `list.sql`, and at most so many ($3). Rows that somebody
-- holds wait for the next round.
DELETE FROM notifications WHERE ctid = ANY (ARRAY(
    SELECT old.ctid
    FROM workspaces AS w
    CROSS JOIN unnest($4) AS k (kind)
    CROSS JOIN LATERAL (
        SELECT n.ctid
        FROM notifications AS n
        WHERE n.workspace_id = w.id AND n.kind = k.kind
            AND n.created_at <= day_before($1, $2)
            -- One about an alert stays as long as the alert, which may be in force for longer.
            AND (n.alert_id IS NULL OR n.resolved_at IS NOT NULL)
        ORDER BY n.created_at, n.id
        LIMIT $3
        FOR UPDATE SKIP LOCKED
    ) AS old
    LIMIT $3
))
