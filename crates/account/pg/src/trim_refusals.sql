-- The last ones of each workspace stay. Rows that another node is taking away already are left to it, so that none waits for
-- another.
WITH past AS (
    SELECT c.workspace_id, first_too_many.at, first_too_many.request_id
    FROM unnest($1) AS c (workspace_id)
    CROSS JOIN LATERAL (
        SELECT r.at, r.request_id
        FROM refused_requests AS r
        WHERE r.workspace_id = c.workspace_id
        ORDER BY r.at DESC, r.request_id DESC
        OFFSET $2
        LIMIT 1
    ) AS first_too_many
),
gone AS MATERIALIZED (
    SELECT r.workspace_id, r.at, r.request_id
    FROM past
    JOIN refused_requests AS r
        ON r.workspace_id = past.workspace_id AND (r.at, r.request_id) <= (past.at, past.request_id)
    FOR UPDATE OF r SKIP LOCKED
)
DELETE FROM refused_requests AS r
USING gone
WHERE r.workspace_id = gone.workspace_id AND r.at = gone.at AND r.request_id = gone.request_id
