SELECT
    w.id AS workspace_id,
    p.credits_per_cycle AS granted,
    coalesce(b.used, 0) AS used,
    coalesce(b.cycle_start, present.cycle_start) AS cycle_start,
    coalesce(b.cycle_end, present.cycle_end) AS cycle_end,
    m.credit_cap,
    coalesce(u.used, 0) AS member_used
FROM workspaces AS w
JOIN plans AS p ON p.key = w.plan_key
CROSS JOIN LATERAL credit_cycle((w.created_at AT TIME ZONE 'UTC')::date, $3) AS present
-- A balance whose cycle is over stays as it is until the next charge: nothing of the present one is used.
LEFT JOIN credit_balances AS b ON b.workspace_id = w.id AND b.cycle_end > $3
LEFT JOIN members AS m ON m.workspace_id = w.id AND m.user_id = $2
LEFT JOIN credit_member_usage AS u
    ON u.workspace_id = w.id AND u.user_id = $2 AND u.cycle_start = b.cycle_start
WHERE w.id = ANY($1)
ORDER BY w.created_at, w.id
