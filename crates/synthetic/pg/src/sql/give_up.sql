-- Ends runs that nobody will do any more. Those that no node took in time end with their jobs, so that no node does them later: a
-- run that was begun may wait again since. Those whose job is over, but which have no result, were left by a node that died before it
-- could record one. Jobs are timed by the clock of the database.
WITH late AS (
    UPDATE jobs AS j
    SET state = 'dead', finished_at = now(), last_error = $2, error_code = 'upstream-unavailable', error_detail = $2
    WHERE j.id = ANY (ARRAY(
            SELECT q.id
            FROM synthetic_runs AS r
            JOIN jobs AS q ON q.id = r.job_id
            WHERE r.status IN ('queued', 'running') AND q.state = 'queued' AND q.created_at < now() - $1 * interval '1 second'
            FOR UPDATE OF q SKIP LOCKED
        ))
    RETURNING j.id
)
UPDATE synthetic_runs AS r
SET status = 'failed', finished_at = greatest(now(), r.started_at),
    error_code = CASE WHEN r.job_id IN (SELECT id FROM late) THEN 'upstream-unavailable' ELSE 'internal-error' END,
    error_detail = CASE WHEN r.job_id IN (SELECT id FROM late) THEN $2 ELSE $3 END
WHERE r.status IN ('queued', 'running')
    AND (
        r.job_id IN (SELECT id FROM late)
        OR NOT EXISTS (SELECT FROM jobs AS j WHERE j.id = r.job_id AND j.state IN ('queued', 'running'))
    )
RETURNING r.domain_id
