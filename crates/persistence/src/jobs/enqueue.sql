WITH added AS (
    INSERT INTO jobs (id, kind, lane, payload, state, run_at, attempts, max_attempts, created_at, workspace_id, run_id)
    SELECT id, kind, lane, payload, 'queued', now() + pause * interval '1 second', 0, max_attempts, now(), workspace_id, $8
    FROM unnest($1, $2, $3, $4, $5, $6, $7) AS new (id, kind, lane, payload, pause, max_attempts, workspace_id)
    RETURNING coalesce(lane, kind) AS name
)
SELECT pg_notify('pharos_jobs', name) FROM (SELECT DISTINCT name FROM added) AS woken
