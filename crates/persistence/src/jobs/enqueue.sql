WITH added AS (
    INSERT INTO jobs (id, kind, lane, payload, state, run_at, attempts, max_attempts, created_at, workspace_id, run_id)
    SELECT id, kind, lane, payload, 'queued', run_at, 0, max_attempts, $7, workspace_id, $9
    FROM unnest($1, $2, $3, $4, $5, $6, $8) AS new (id, kind, lane, payload, run_at, max_attempts, workspace_id)
    RETURNING coalesce(lane, kind) AS name
)
SELECT pg_notify('pharos_jobs', name) FROM (SELECT DISTINCT name FROM added) AS woken
