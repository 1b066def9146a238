SELECT g.id, g.client_id, c.name AS client_name, c.verified_at IS NOT NULL AS is_verified, g.scopes,
    w.names AS workspaces, g.resource, g.created_at, g.last_used_at
FROM oauth_grants AS g
JOIN oauth_clients AS c ON c.id = g.client_id
CROSS JOIN LATERAL (
    -- As `find.sql` and its reader have it: the first that was ticked is the default, and without it the oldest.
    SELECT coalesce(
        array_agg(workspaces.name ORDER BY ticked.place > 1, workspaces.created_at, workspaces.id), '{}'
    ) AS names
    FROM unnest(g.workspace_ids) WITH ORDINALITY AS ticked (id, place)
    JOIN workspaces ON workspaces.id = ticked.id
    JOIN members AS m ON m.workspace_id = ticked.id AND m.user_id = g.user_id
) AS w
WHERE g.user_id = $1 AND g.revoked_at IS NULL
ORDER BY g.created_at DESC, g.id DESC
