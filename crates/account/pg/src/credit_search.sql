-- The balance's cycle while it is not over, whatever this node's clock says of its start: the log adds up to it.
WITH cycle AS MATERIALIZED (
    SELECT b.cycle_start, b.cycle_end
    FROM credit_balances AS b
    WHERE b.workspace_id = $1 AND $2 < b.cycle_end
    UNION ALL
    SELECT c.cycle_start, c.cycle_end
    FROM credit_balances AS b
    JOIN workspaces AS w ON w.id = b.workspace_id
    CROSS JOIN LATERAL credit_cycle((w.created_at AT TIME ZONE 'UTC')::date, $2) AS c
    WHERE b.workspace_id = $1 AND $2 >= b.cycle_end
)
-- Served by the primary key (workspace, time, request), read backwards, of the cycle's partitions alone, and of one where a day
-- is asked for.
SELECT l.occurred_at, l.request_id, l.credential_id, l.domain_id, l.operation, l.status, l.cost, l.cache
FROM credit_log AS l
WHERE l.workspace_id = $1
    AND l.occurred_at >= (SELECT cycle_start FROM cycle)
    AND l.occurred_at < (SELECT cycle_end FROM cycle)
    AND l.occurred_at >= $6
    AND l.occurred_at < $7
    AND ($8 IS NULL OR l.operation = $8)
    AND ($9 IS NULL OR l.credential_id = $9)
    -- Partitions are left out by the first, rows by the second.
    AND l.occurred_at <= $3
    AND (l.occurred_at, l.request_id) < ($3, $4)
ORDER BY l.occurred_at DESC, l.request_id DESC
LIMIT $5
