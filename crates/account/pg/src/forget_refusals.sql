DELETE FROM refused_requests AS r
USING (
    SELECT old.workspace_id, old.at, old.request_id
    FROM refused_requests AS old
    WHERE old.at <= $1
    ORDER BY old.at
    LIMIT $2
    FOR UPDATE SKIP LOCKED
) AS gone
WHERE r.workspace_id = gone.workspace_id AND r.at = gone.at AND r.request_id = gone.request_id
