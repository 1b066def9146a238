CREATE OR REPLACE FUNCTION notification_read_at(
    reader uuid, notification uuid, domain uuid, kind text, created_at timestamptz
) RETURNS timestamptz
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    -- Its own row counts; where it has none, the first mark that was set after it.
    SELECT found.read_at
    FROM (
        (SELECT r.read_at, 1 AS rank FROM notification_reads AS r WHERE r.user_id = $1 AND r.notification_id = $2)
        UNION ALL
        (
            SELECT m.read_at, 2
            FROM notification_read_marks AS m
            WHERE m.user_id = $1 AND m.domain_id = $3 AND m.kind = $4 AND m.read_before > $5
            ORDER BY m.read_before
            LIMIT 1
        )
    ) AS found
    ORDER BY found.rank
    LIMIT 1
$$;
COMMENT ON FUNCTION notification_read_at (uuid, uuid, uuid, text, timestamptz) IS
    'When a user read a notification, alone or with others; null: it is unread.';
