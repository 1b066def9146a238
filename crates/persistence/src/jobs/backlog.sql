-- Lane by lane, as claims read the index: what is due later is never looked at.
WITH RECURSIVE lanes (lane) AS (
    (
        SELECT coalesce(lane, '')
        FROM jobs
        WHERE state IN ('queued', 'running')
        ORDER BY coalesce(lane, '')
        LIMIT 1
    )
    UNION ALL
    SELECT next.lane
    FROM lanes AS l
    CROSS JOIN LATERAL (
        SELECT coalesce(j.lane, '') AS lane
        FROM jobs AS j
        WHERE coalesce(j.lane, '') > l.lane AND j.state IN ('queued', 'running')
        ORDER BY coalesce(j.lane, '')
        LIMIT 1
    ) AS next
),
due AS (
    SELECT found.due_at
    FROM lanes AS l
    CROSS JOIN LATERAL (
        SELECT coalesce(j.leased_until, j.run_at) AS due_at
        FROM jobs AS j
        WHERE coalesce(j.lane, '') = l.lane
            AND j.state IN ('queued', 'running')
            AND coalesce(j.leased_until, j.run_at) <= now()
        ORDER BY coalesce(j.leased_until, j.run_at)
        LIMIT $1
    ) AS found
)
SELECT count(*) AS due, extract(epoch FROM now() - min(due_at))::float8 AS age
FROM due
