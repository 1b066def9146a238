-- Lane by lane, since one index scan gives the jobs of one lane in order, and never those that no worker comes for. Jobs of
-- no lane are a lane of their own, ''. The oldest first, as long as there is room for all that is due. Where there is not,
-- each claim also looks at what the next few workspaces have due in these lanes, and those go first that have the least
-- under way. Of those that have as little, those go first that come next: who does one job at a time has nothing under way when it
-- claims, so the oldest jobs would be those of one workspace as long as it has any.
WITH RECURSIVE lanes (lane) AS (
    VALUES ($1), ('')
),
oldest AS MATERIALIZED (
    SELECT due.id, due.workspace_id, due.due_at
    FROM lanes AS l
    CROSS JOIN LATERAL (
        SELECT j.id, j.workspace_id, coalesce(j.leased_until, j.run_at) AS due_at
        FROM jobs AS j
        WHERE coalesce(j.lane, '') = l.lane
            AND j.state IN ('queued', 'running')
            AND coalesce(j.leased_until, j.run_at) <= now()
            AND j.kind = ANY($2)
        ORDER BY coalesce(j.leased_until, j.run_at)
        LIMIT $5
        FOR UPDATE SKIP LOCKED
    ) AS due
),
-- The workspaces whose turn it is to be looked at, after those of the last claim; behind the last of all comes the first.
visited (workspace_id, number) AS (
    (
        SELECT next.workspace_id, 1::bigint
        FROM lanes AS l
        CROSS JOIN (VALUES ($6), ('00000000-0000-0000-0000-000000000000'::uuid)) AS behind (workspace_id)
        CROSS JOIN LATERAL (
            SELECT j.workspace_id
            FROM jobs AS j
            WHERE coalesce(j.lane, '') = l.lane
                AND j.state IN ('queued', 'running')
                AND j.workspace_id > behind.workspace_id
            ORDER BY j.workspace_id
            LIMIT 1
        ) AS next
        WHERE (SELECT count(*) FROM oldest) >= $5
        ORDER BY next.workspace_id <= $6, next.workspace_id
        LIMIT 1
    )
    UNION ALL
    SELECT next.workspace_id, v.number + 1
    FROM visited AS v
    CROSS JOIN LATERAL (
        SELECT of_lane.workspace_id
        FROM lanes AS l
        CROSS JOIN LATERAL (
            SELECT j.workspace_id
            FROM jobs AS j
            WHERE coalesce(j.lane, '') = l.lane
                AND j.state IN ('queued', 'running')
                AND j.workspace_id > v.workspace_id
            ORDER BY j.workspace_id
            LIMIT 1
        ) AS of_lane
        ORDER BY of_lane.workspace_id
        LIMIT 1
    ) AS next
    WHERE v.number < $7
),
others AS MATERIALIZED (
    SELECT due.id, v.workspace_id, due.due_at
    FROM visited AS v
    CROSS JOIN lanes AS l
    CROSS JOIN LATERAL (
        SELECT j.id, coalesce(j.leased_until, j.run_at) AS due_at
        FROM jobs AS j
        WHERE coalesce(j.lane, '') = l.lane
            AND j.workspace_id = v.workspace_id
            AND j.state IN ('queued', 'running')
            AND coalesce(j.leased_until, j.run_at) <= now()
            AND j.kind = ANY($2)
        ORDER BY coalesce(j.leased_until, j.run_at)
        LIMIT 4
        FOR UPDATE SKIP LOCKED
    ) AS due
),
under_way AS MATERIALIZED (
    SELECT j.workspace_id, count(*) AS jobs
    FROM jobs AS j
    WHERE coalesce(j.lane, '') IN ($1, '')
        AND j.state IN ('queued', 'running')
        AND coalesce(j.leased_until, j.run_at) > now()
        AND j.leased_until IS NOT NULL
        AND (SELECT count(*) FROM oldest) >= $5
    GROUP BY j.workspace_id
),
due AS MATERIALIZED (
    SELECT found.id, found.due_at, v.number
    FROM (SELECT * FROM oldest UNION SELECT * FROM others) AS found
    LEFT JOIN under_way AS u ON u.workspace_id = found.workspace_id
    LEFT JOIN visited AS v ON v.workspace_id = found.workspace_id
    ORDER BY
        coalesce(u.jobs, 0)
            + row_number() OVER (PARTITION BY found.workspace_id ORDER BY found.due_at),
        v.number,
        found.due_at
    LIMIT $5
),
-- A job that takes its worker down with it is not tried for ever.
buried AS (
    UPDATE jobs AS j
    SET state = 'dead',
        leased_until = NULL,
        worker = NULL,
        last_error = 'its worker was lost in the last attempt',
        error_code = NULL,
        error_detail = NULL,
        finished_at = now()
    FROM due
    WHERE j.id = due.id AND j.attempts >= j.max_attempts
    RETURNING j.id, j.kind, j.payload, j.attempts, j.state, due.due_at
),
claimed AS (
    UPDATE jobs AS j
    SET state = 'running',
        leased_until = now() + $3 * interval '1 second',
        worker = $4,
        attempts = j.attempts + 1,
        started_at = coalesce(j.started_at, now())
    FROM due
    WHERE j.id = due.id AND j.attempts < j.max_attempts
    RETURNING j.id, j.kind, j.payload, j.attempts, j.state, due.due_at
)
-- The next claim goes on behind the last workspace that has something now; if none has, behind the last that was looked at.
SELECT id, kind, payload, attempts, state,
    (
        SELECT v.workspace_id
        FROM visited AS v
        WHERE v.number = coalesce((SELECT max(d.number) FROM due AS d), (SELECT max(l.number) FROM visited AS l))
    ) AS visited
FROM (SELECT * FROM buried UNION ALL SELECT * FROM claimed) AS found
ORDER BY due_at
