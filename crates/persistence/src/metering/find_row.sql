SELECT EXISTS (
    SELECT FROM credit_balances AS b
    JOIN credit_log AS l ON l.workspace_id = b.workspace_id AND l.request_id = $2
        AND l.occurred_at = ANY (ARRAY[$3, b.cycle_start])
    WHERE b.workspace_id = $1
) AS found
