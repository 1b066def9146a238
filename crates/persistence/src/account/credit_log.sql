-- The cycle is that of the balance, as long as it is not over: the log adds up to it whatever the clocks of other
-- nodes say.
WITH cycle AS MATERIALIZED (
    SELECT
        coalesce(b.cycle_start, present.cycle_start) AS cycle_start,
        coalesce(b.cycle_end, present.cycle_end) AS cycle_end
    FROM workspaces AS w
    CROSS JOIN LATERAL credit_cycle((w.created_at AT TIME ZONE 'UTC')::date, $2) AS present
    LEFT JOIN credit_balances AS b ON b.workspace_id = w.id AND b.cycle_end > $2
    WHERE w.id = $1
)
-- Served by the primary key (workspace, time, request), read backwards, of the cycle's partitions alone.
SELECT l.occurred_at, l.request_id, l.credential_id, l.domain_id, l.operation, l.status, l.cost, l.cache
FROM credit_log AS l
WHERE l.workspace_id = $1
    AND l.occurred_at >= (SELECT cycle_start FROM cycle)
    AND l.occurred_at < (SELECT cycle_end FROM cycle)
    -- Partitions are left out by the first, rows by the second.
    AND l.occurred_at <= $3
    AND (l.occurred_at, l.request_id) < ($3, $4)
ORDER BY l.occurred_at DESC, l.request_id DESC
LIMIT $5
