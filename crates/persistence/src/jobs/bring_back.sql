-- No job waits longer than $1, and no lease is longer than $2: what lies further ahead was written by a clock that was wrong,
-- as was a job that was asked for, or put off, later than now. Such a job is due now; one that is held, as soon as nobody has it.
UPDATE jobs
SET created_at = least(created_at, now()),
    run_at = least(run_at, now()),
    settled_at = CASE WHEN settled_at > now() THEN now() ELSE settled_at END,
    leased_until = CASE
        WHEN leased_until > now() + $2 * interval '1 second' + interval '5 seconds' THEN now()
        ELSE leased_until
    END
WHERE state IN ('queued', 'running')
    AND (
        created_at > now() + interval '5 seconds'
        OR (state = 'queued' AND settled_at > now() + interval '5 seconds')
        OR (state = 'queued' AND run_at > now() + $1 * interval '1 second' + interval '5 seconds')
        OR leased_until > now() + $2 * interval '1 second' + interval '5 seconds'
    )
