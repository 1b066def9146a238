SELECT
    g.client_id,
    g.user_id,
    c.name AS client_name,
    g.resource,
    g.scopes,
    g.workspace_ids,
    g.revoked_at IS NOT NULL AS is_revoked,
    u.disabled_at IS NULL AS user_is_enabled,
    w.id AS workspace_id,
    w.role,
    w.subscription_status,
    w.modules,
    w.domain_ids,
    w.domain_hostnames
FROM oauth_grants AS g
JOIN oauth_clients AS c ON c.id = g.client_id
JOIN users AS u ON u.id = g.user_id
LEFT JOIN LATERAL (
    SELECT workspaces.id, workspaces.created_at, m.role, workspaces.subscription_status, p.modules,
        d.ids AS domain_ids, d.hostnames AS domain_hostnames
    FROM members AS m
    JOIN workspaces ON workspaces.id = m.workspace_id
    JOIN plans AS p ON p.key = workspaces.plan_key
    CROSS JOIN LATERAL (
        SELECT
            coalesce(array_agg(domains.id ORDER BY domains.id), '{}') AS ids,
            coalesce(array_agg(domains.hostname ORDER BY domains.id), '{}') AS hostnames
        FROM domains
        WHERE domains.workspace_id = workspaces.id AND domains.deleted_at IS NULL
    ) AS d
    WHERE m.user_id = g.user_id AND m.workspace_id = ANY (g.workspace_ids)
) AS w ON true
WHERE g.id = $1
ORDER BY w.created_at, w.id
