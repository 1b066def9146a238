INSERT INTO indexing_sites (domain_id, workspace_id, next_round_at)
-- A clock that is ahead puts nothing off.
SELECT d.id, d.workspace_id, least($2, now())
FROM search_properties AS s
JOIN domains AS d ON d.id = s.domain_id
JOIN workspaces AS w ON w.id = d.workspace_id
JOIN plans AS p ON p.key = w.plan_key
WHERE d.deleted_at IS NULL
    AND 'indexing' = ANY (p.modules)
    AND NOT EXISTS (SELECT FROM indexing_sites AS known WHERE known.domain_id = d.id)
ORDER BY d.id
LIMIT $1
ON CONFLICT DO NOTHING
