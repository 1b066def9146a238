-- A row says how much was used of how much, where there is no room. Taking nothing out of an overdrawn stock is no use either.
WITH quota AS MATERIALIZED (
    SELECT l.quota_limit
    FROM workspaces AS w
    LEFT JOIN plan_quotas AS l ON l.plan_key = w.plan_key AND l.resource = $2
    WHERE w.id = $1
),
taken AS (
    INSERT INTO quota_usage AS u (workspace_id, resource, period_start, used)
    SELECT $1, $2, $3, $4 FROM quota WHERE quota_limit IS NULL OR $4 <= quota_limit
    ON CONFLICT (workspace_id, resource, period_start) DO UPDATE
    SET used = u.used + excluded.used
    WHERE (SELECT quota_limit IS NULL OR u.used + excluded.used <= quota_limit FROM quota)
    RETURNING u.used
)
SELECT coalesce(
        (SELECT used FROM quota_usage WHERE workspace_id = $1 AND resource = $2 AND period_start = $3), 0
    ) AS used,
    quota.quota_limit
FROM quota
WHERE NOT EXISTS (SELECT FROM taken) AND quota.quota_limit IS NOT NULL
