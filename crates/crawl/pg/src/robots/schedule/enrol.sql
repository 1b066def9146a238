INSERT INTO robots_sites (domain_id, workspace_id, next_check_at)
-- A clock that is ahead puts nothing off.
SELECT d.id, d.workspace_id, least($2, now())
FROM domains AS d
JOIN workspaces AS w ON w.id = d.workspace_id
JOIN plans AS p ON p.key = w.plan_key
WHERE d.deleted_at IS NULL
    AND 'robots' = ANY (p.modules)
    AND NOT EXISTS (SELECT FROM robots_sites AS s WHERE s.domain_id = d.id)
ORDER BY d.id
LIMIT $1
ON CONFLICT DO NOTHING
