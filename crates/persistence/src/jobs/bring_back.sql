-- No job waits longer than $2, and no lease is longer than $3: what lies further ahead was written by a clock that was wrong,
-- as was a job that was asked for later than now. Such a job is due now; one that is held, as soon as nobody has it.
UPDATE jobs
SET created_at = least(created_at, $1),
    run_at = least(run_at, $1),
    leased_until = CASE
        WHEN leased_until > $1 + $3 * interval '1 second' + interval '5 seconds' THEN $1
        ELSE leased_until
    END
WHERE state IN ('queued', 'running')
    AND (
        created_at > $1 + interval '5 seconds'
        OR (state = 'queued' AND run_at > $1 + $2 * interval '1 second' + interval '5 seconds')
        OR leased_until > $1 + $3 * interval '1 second' + interval '5 seconds'
    )
