SELECT
    w.id,
    w.name,
    w.plan_key,
    w.subscription_status,
    w.created_at,
    (SELECT count(*) FROM domains AS d WHERE d.workspace_id = w.id AND d.deleted_at IS NULL) AS domain_count,
    (SELECT count(*) FROM members AS m WHERE m.workspace_id = w.id) AS member_count
FROM workspaces AS w
WHERE w.id = ANY($1)
ORDER BY w.created_at, w.id
