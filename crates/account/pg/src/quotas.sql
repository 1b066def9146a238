SELECT q.resource, coalesce(u.used, 0) AS used, l.quota_limit
FROM workspaces AS w
CROSS JOIN unnest($2, $3) WITH ORDINALITY AS q (resource, period_start, ordinal)
LEFT JOIN plan_quotas AS l ON l.plan_key = w.plan_key AND l.resource = q.resource
LEFT JOIN quota_usage AS u
    ON u.workspace_id = w.id AND u.resource = q.resource AND u.period_start = q.period_start
WHERE w.id = $1
ORDER BY q.ordinal
