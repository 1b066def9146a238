-- The oldest first, as long as there is room for all that is due. Where there is not, each claim also looks at what the
-- next few workspaces have due, and those go first that have the least under way: so a workspace with thousands due
-- holds up nobody's few. All of it is read by index, and no more than a claim takes, a few times over.
-- A node's clock that is ahead makes nothing due: the database's has a say.
WITH RECURSIVE oldest AS MATERIALIZED (
    SELECT s.domain_id, s.workspace_id, s.next_check_at
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
-- The workspaces whose turn it is to be looked at, after those of the last claim.
visited (workspace_id, number) AS (
    (
        SELECT s.workspace_id, 1::bigint
        FROM uptime_schedules AS s
        WHERE s.region = $1 AND s.workspace_id > $5 AND (SELECT count(*) FROM oldest) >= $4
        ORDER BY s.workspace_id
        LIMIT 1
    )
    UNION ALL
    SELECT next.workspace_id, v.number + 1
    FROM visited AS v
    CROSS JOIN LATERAL (
        SELECT s.workspace_id
        FROM uptime_schedules AS s
        WHERE s.region = $1 AND s.workspace_id > v.workspace_id
        ORDER BY s.workspace_id
        LIMIT 1
    ) AS next
    WHERE v.number < $6
),
others AS MATERIALIZED (
    SELECT due.domain_id, v.workspace_id, due.next_check_at
    FROM visited AS v
    CROSS JOIN LATERAL (
        SELECT s.domain_id, s.next_check_at
        FROM uptime_schedules AS s
        JOIN uptime_monitors AS m ON m.domain_id = s.domain_id
        JOIN domains AS d ON d.id = s.domain_id
        WHERE s.region = $1
            AND s.workspace_id = v.workspace_id
            AND s.next_check_at <= least($2, now())
            AND (s.leased_until IS NULL OR s.leased_until <= least($2, now()))
            AND m.enabled
            AND d.deleted_at IS NULL
        ORDER BY s.next_check_at
        LIMIT 4
        FOR UPDATE OF s SKIP LOCKED
    ) AS due
),
under_way AS MATERIALIZED (
    SELECT s.workspace_id, count(*) AS checks
    FROM uptime_schedules AS s
    WHERE s.region = $1 AND s.leased_until > least($2, now()) AND (SELECT count(*) FROM oldest) >= $4
    GROUP BY s.workspace_id
),
due AS MATERIALIZED (
    SELECT found.domain_id
    FROM (SELECT * FROM oldest UNION SELECT * FROM others) AS found
    LEFT JOIN under_way AS u ON u.workspace_id = found.workspace_id
    ORDER BY
        coalesce(u.checks, 0)
            + row_number() OVER (PARTITION BY found.workspace_id ORDER BY found.next_check_at),
        found.next_check_at
    LIMIT $4
),
claimed AS (
    UPDATE uptime_schedules AS s
    SET leased_until = least($2, now()) + ($3 - $2)
    -- An array is looked up by key. A join with what is due is planned as if that were many, and reads all schedules.
    WHERE s.domain_id = ANY (ARRAY(SELECT domain_id FROM due)) AND s.region = $1
    RETURNING s.domain_id, s.next_check_at
)
SELECT claimed.domain_id, m.settings, claimed.next_check_at,
    (SELECT v.workspace_id FROM visited AS v WHERE v.number = $6) AS visited
FROM claimed
JOIN uptime_monitors AS m ON m.domain_id = claimed.domain_id
ORDER BY claimed.next_check_at
