WITH released AS (
    UPDATE jobs
    SET state = 'queued', leased_until = NULL, worker = NULL, attempts = attempts - 1
    WHERE id = ANY($2) AND state = 'running' AND worker = $1
    RETURNING coalesce(lane, kind) AS name
)
SELECT pg_notify('pharos_jobs', name) FROM (SELECT DISTINCT name FROM released) AS woken
