SELECT
    k.id AS key_id,
    k.created_by,
    k.name,
    s.shown,
    s.valid_until,
    k.scopes,
    k.allowlist,
    k.expires_at,
    k.revoked_at,
    u.disabled_at IS NULL AS creator_enabled,
    m.role,
    w.id AS workspace_id,
    w.subscription_status,
    p.modules,
    d.ids AS domain_ids,
    d.hostnames AS domain_hostnames
FROM api_key_secrets AS s
JOIN api_keys AS k ON k.id = s.key_id
JOIN users AS u ON u.id = k.created_by
JOIN workspaces AS w ON w.id = k.workspace_id
JOIN plans AS p ON p.key = w.plan_key
LEFT JOIN members AS m ON m.workspace_id = k.workspace_id AND m.user_id = k.created_by
CROSS JOIN LATERAL (
    SELECT
        coalesce(array_agg(domains.id ORDER BY domains.id), '{}') AS ids,
        coalesce(array_agg(domains.hostname ORDER BY domains.id), '{}') AS hostnames
    FROM domains
    WHERE domains.workspace_id = w.id AND domains.deleted_at IS NULL
) AS d
WHERE s.digest = $1
