SELECT w.id AS workspace_id, m.role, w.subscription_status, p.modules, d.ids AS domain_ids, d.hostnames AS domain_hostnames
FROM members AS m
JOIN users AS u ON u.id = m.user_id AND u.disabled_at IS NULL
JOIN workspaces AS w ON w.id = m.workspace_id
JOIN plans AS p ON p.key = w.plan_key
CROSS JOIN LATERAL (
    SELECT
        coalesce(array_agg(domains.id ORDER BY domains.id), '{}') AS ids,
        coalesce(array_agg(domains.hostname ORDER BY domains.id), '{}') AS hostnames
    FROM domains
    WHERE domains.workspace_id = w.id AND domains.deleted_at IS NULL AND ($3 IS NULL OR domains.id = $3)
) AS d
WHERE m.user_id = $1
    AND m.workspace_id = coalesce($2, (
        SELECT domains.workspace_id FROM domains WHERE domains.id = $3 AND domains.deleted_at IS NULL
    ))
