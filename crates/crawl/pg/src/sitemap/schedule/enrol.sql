INSERT INTO sitemap_sites (domain_id, workspace_id, next_check_at)
-- A clock that is ahead puts nothing off.
SELECT d.id, d.workspace_id, least($2, now())
FROM domains AS d
JOIN workspaces AS w ON w.id = d.workspace_id
JOIN plans AS p ON p.key = w.plan_key
WHERE d.deleted_at IS NULL
    AND 'sitemap' = ANY (p.modules)
    AND NOT EXISTS (SELECT FROM sitemap_sites AS s WHERE s.domain_id = d.id)
ORDER BY d.id
LIMIT $1
ON CONFLICT DO NOTHING
