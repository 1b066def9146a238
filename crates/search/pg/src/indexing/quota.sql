-- The use of a property's quota on a day ($2, $3), and of the plan's quota ($4: the workspace, $5: the UTC day).
SELECT coalesce((SELECT q.used FROM indexing_quota AS q WHERE q.site_url = $2 AND q.day = $3), 0) AS used,
    l.quota_limit AS plan_limit, coalesce(u.used, 0) AS plan_used
FROM workspaces AS w
LEFT JOIN plan_quotas AS l ON l.plan_key = w.plan_key AND l.resource = $1
LEFT JOIN quota_usage AS u ON u.workspace_id = w.id AND u.resource = $1 AND u.period_start = $5
WHERE w.id = $4
