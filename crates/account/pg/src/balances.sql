SELECT
    w.id AS workspace_id,
    b.granted,
    present.used,
    present.cycle_start,
    present.cycle_end,
    m.credit_cap,
    coalesce(u.used, 0) AS member_used
FROM workspaces AS w
JOIN credit_balances AS b ON b.workspace_id = w.id
-- A cycle that is over has not ended yet in its row: the next charge does that.
CROSS JOIN LATERAL (
    SELECT b.used, b.cycle_start, b.cycle_end WHERE $3 < b.cycle_end
    UNION ALL
    SELECT 0, c.cycle_start, c.cycle_end
    FROM credit_cycle((w.created_at AT TIME ZONE 'UTC')::date, $3) AS c
    WHERE $3 >= b.cycle_end
) AS present
LEFT JOIN members AS m ON m.workspace_id = w.id AND m.user_id = $2
LEFT JOIN credit_member_usage AS u
    ON u.workspace_id = w.id AND u.user_id = $2 AND u.cycle_start = present.cycle_start
WHERE w.id = ANY($1)
ORDER BY w.created_at, w.id
