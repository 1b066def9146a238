-- How many URLs more a plan has room for that nobody asked for, which may have $3 percent of it. Null: it has no limit.
SELECT l.quota_limit * $3 / 100 - coalesce(u.used, 0) AS room
FROM workspaces AS w
JOIN plan_quotas AS l ON l.plan_key = w.plan_key AND l.resource = $2
LEFT JOIN quota_usage AS u
    ON u.workspace_id = w.id AND u.resource = $2 AND u.period_start = DATE '1970-01-01'
WHERE w.id = $1
