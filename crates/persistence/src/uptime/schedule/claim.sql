-- A node's clock that is ahead makes nothing due: the database's has a say.
WITH due AS MATERIALIZED (
    SELECT s.domain_id
    FROM uptime_schedules AS s
    JOIN uptime_monitors AS m ON m.domain_id = s.domain_id
    JOIN domains AS d ON d.id = s.domain_id
    WHERE s.region = $1
        AND s.next_check_at <= least($2, now())
        AND (s.leased_until IS NULL OR s.leased_until <= least($2, now()))
        AND m.enabled
        AND d.deleted_at IS NULL
    ORDER BY s.next_check_at
    LIMIT $4
    FOR UPDATE OF s SKIP LOCKED
),
claimed AS (
    UPDATE uptime_schedules AS s
    SET leased_until = least($2, now()) + ($3 - $2)
    -- An array is looked up by key. A join with what is due is planned as if that were many, and reads all schedules.
    WHERE s.domain_id = ANY (ARRAY(SELECT domain_id FROM due)) AND s.region = $1
    RETURNING s.domain_id, s.next_check_at
)
SELECT claimed.domain_id, m.settings, claimed.next_check_at
FROM claimed
JOIN uptime_monitors AS m ON m.domain_id = claimed.domain_id
ORDER BY claimed.next_check_at
