-- With its last job a run is over; the trigger sees to that. A job that a worker has at the moment is left to it.
UPDATE jobs
SET state = 'dead',
    leased_until = NULL,
    worker = NULL,
    last_error = 'no worker did it in the time that its run had',
    error_code = 'internal-error',
    error_detail = $4,
    finished_at = $1
WHERE id = ANY(ARRAY(
    SELECT j.id
    FROM runs AS r
    JOIN jobs AS j ON j.run_id = r.id
    WHERE r.status IN ('queued', 'running')
        AND r.requested_at <= $2
        AND (j.state = 'queued' OR (j.state = 'running' AND j.leased_until <= $1))
    LIMIT $3
    FOR UPDATE OF j SKIP LOCKED
))
