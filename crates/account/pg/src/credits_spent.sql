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
SELECT
    (l.occurred_at AT TIME ZONE 'UTC')::date AS day,
    l.operation,
    count(*) AS calls,
    sum(l.cost)::bigint AS credits
FROM credit_log AS l
WHERE l.workspace_id = $1
    AND l.occurred_at >= (SELECT cycle_start FROM cycle)
    AND l.occurred_at < (SELECT cycle_end FROM cycle)
GROUP BY 1, 2
ORDER BY 1, 2
