-- Marks are set as far as nothing can come late ($6); what was made after that is marked one by one. All of it is counted.
WITH last AS MATERIALIZED (
    SELECT kind, read_before FROM last_read_marks($2, $1, '{}', $3)
),
found AS MATERIALIZED (
    SELECT l.kind, beyond.all_of_it, beyond.unread
    FROM last AS l
    CROSS JOIN LATERAL (
        SELECT count(*) AS all_of_it, count(*) FILTER (WHERE r.notification_id IS NULL) AS unread
        FROM notifications AS n
        LEFT JOIN notification_reads AS r ON r.user_id = $2 AND r.notification_id = n.id
        WHERE n.domain_id = $1 AND n.kind = l.kind AND n.created_at >= l.read_before AND n.created_at < $6
    ) AS beyond
),
marks AS (
    INSERT INTO notification_read_marks (user_id, domain_id, kind, read_before, read_at)
    SELECT $2, $1, kind, $6, $5
    FROM found
    WHERE all_of_it > 0
),
recent AS (
    INSERT INTO notification_reads (user_id, notification_id, read_at)
    SELECT $2, beyond.id, $5
    FROM last AS l
    CROSS JOIN LATERAL (
        SELECT n.id
        FROM notifications AS n
        WHERE n.domain_id = $1 AND n.kind = l.kind
            AND n.created_at >= greatest(l.read_before, $6) AND n.created_at < $4
        -- Planned for itself, as a range of its index.
        OFFSET 0
    ) AS beyond
    ON CONFLICT DO NOTHING
    RETURNING notification_id
),
-- Those that were marked as unread.
again AS (
    UPDATE notification_reads AS r
    SET read_at = $5
    FROM notifications AS n
    WHERE r.user_id = $2 AND r.read_at IS NULL
        AND n.id = r.notification_id AND n.domain_id = $1 AND n.kind = ANY ($3) AND n.created_at < $4
    RETURNING r.notification_id
)
SELECT (
    coalesce((SELECT sum(unread) FROM found), 0)
        + (SELECT count(*) FROM recent)
        + (SELECT count(*) FROM again)
)::bigint AS found
