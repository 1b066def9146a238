-- A row has the time that its charge came with, unless that was moved; `settle_charges` looks in the same places.
SELECT coalesce(
    (
        SELECT true FROM credit_log AS l
        WHERE l.workspace_id = $1 AND l.occurred_at = $3 AND l.request_id = $2
    ) OR (
        SELECT true FROM credit_log AS l
        WHERE l.workspace_id = $1 AND l.occurred_at = b.cycle_start AND l.request_id = $2
    ) OR (
        SELECT true FROM credit_log AS l
        WHERE l.workspace_id = $1 AND l.occurred_at = b.cycle_end - interval '1 microsecond' AND l.request_id = $2
    ) OR (
        SELECT true FROM credit_log AS l
        WHERE l.workspace_id = $1 AND l.occurred_at = b.cycle_start - interval '1 microsecond' AND l.request_id = $2
    ),
    false
) AS found
FROM credit_balances AS b
WHERE b.workspace_id = $1
