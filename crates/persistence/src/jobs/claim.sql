-- Lane by lane, since one index scan gives the jobs of one lane in order, and never those that no worker comes for.
WITH of_lane AS MATERIALIZED (
    SELECT id, coalesce(leased_until, run_at) AS due_at
    FROM jobs
    WHERE lane = $1
        AND state IN ('queued', 'running')
        AND coalesce(leased_until, run_at) <= $3
        AND kind = ANY($2)
    ORDER BY coalesce(leased_until, run_at)
    LIMIT $6
    FOR UPDATE SKIP LOCKED
),
of_none AS MATERIALIZED (
    SELECT id, coalesce(leased_until, run_at) AS due_at
    FROM jobs
    WHERE lane IS NULL
        AND state IN ('queued', 'running')
        AND coalesce(leased_until, run_at) <= $3
        AND kind = ANY($2)
    ORDER BY coalesce(leased_until, run_at)
    LIMIT $6
    FOR UPDATE SKIP LOCKED
),
due AS MATERIALIZED (
    SELECT id, due_at
    FROM (SELECT * FROM of_lane UNION ALL SELECT * FROM of_none) AS both_lanes
    ORDER BY due_at
    LIMIT $6
),
-- A job that takes its worker down with it is not tried for ever.
buried AS (
    UPDATE jobs AS j
    SET state = 'dead',
        leased_until = NULL,
        worker = NULL,
        last_error = 'its worker was lost in the last attempt',
        finished_at = $3
    FROM due
    WHERE j.id = due.id AND j.attempts >= j.max_attempts
    RETURNING j.id, j.kind, j.payload, j.attempts, j.state, due.due_at
),
claimed AS (
    UPDATE jobs AS j
    SET state = 'running', leased_until = $4, worker = $5, attempts = j.attempts + 1
    FROM due
    WHERE j.id = due.id AND j.attempts < j.max_attempts
    RETURNING j.id, j.kind, j.payload, j.attempts, j.state, due.due_at
)
SELECT id, kind, payload, attempts, state
FROM (SELECT * FROM buried UNION ALL SELECT * FROM claimed) AS found
ORDER BY due_at
