UPDATE jobs AS j
SET state = CASE
        WHEN done.why IS NULL AND done.pause IS NULL THEN 'succeeded'
        -- Put off, which was no attempt.
        WHEN done.why IS NULL THEN 'queued'
        WHEN done.pause IS NULL OR j.attempts >= j.max_attempts THEN 'dead'
        ELSE 'queued'
    END,
    attempts = CASE WHEN done.why IS NULL AND done.pause IS NOT NULL THEN j.attempts - 1 ELSE j.attempts END,
    run_at = CASE
        WHEN j.attempts < j.max_attempts OR done.why IS NULL THEN coalesce(now() + done.pause * interval '1 second', j.run_at)
        ELSE j.run_at
    END,
    leased_until = NULL,
    worker = NULL,
    last_error = coalesce(done.why, j.last_error),
    error_code = done.error_code,
    error_detail = done.error_detail,
    settled_at = now(),
    finished_at = CASE
        WHEN done.pause IS NULL OR (done.why IS NOT NULL AND j.attempts >= j.max_attempts) THEN now()
    END
FROM unnest($2, $3, $4, $5, $6, $7) AS done (id, attempt, why, pause, error_code, error_detail)
-- A worker whose lease ended meanwhile is too late: another has the job, or this very worker has it again.
WHERE j.id = done.id AND j.state = 'running' AND j.worker = $1 AND j.attempts = done.attempt
RETURNING j.id, j.state
