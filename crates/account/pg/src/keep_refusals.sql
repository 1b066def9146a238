-- The moment is one of the node's clock. A clock that is ahead would put its refusals before all that come later, and push those out.
INSERT INTO refused_requests (workspace_id, at, request_id, credential_id, operation, problem, about, source)
SELECT r.workspace_id, least(r.at, now()), r.request_id, r.credential_id, r.operation, r.problem, r.about, r.source
FROM unnest($1, $2, $3, $4, $5, $6, $7, $8)
    AS r (workspace_id, at, request_id, credential_id, operation, problem, about, source)
-- One of a workspace that is gone keeps none of the others out.
JOIN workspaces AS w ON w.id = r.workspace_id
ON CONFLICT DO NOTHING
