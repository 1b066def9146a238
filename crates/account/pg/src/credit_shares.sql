WITH cycle AS MATERIALIZED (
    SELECT b.cycle_start
    FROM credit_balances AS b
    WHERE b.workspace_id = $1 AND $2 < b.cycle_end
)
-- Once the balance's cycle is over nobody has used anything of the next: its first charge begins it.
SELECT m.user_id, m.credit_cap, coalesce(u.used, 0) AS used
FROM members AS m
LEFT JOIN credit_member_usage AS u
    ON u.workspace_id = m.workspace_id AND u.user_id = m.user_id AND u.cycle_start = (SELECT cycle_start FROM cycle)
WHERE m.workspace_id = $1
ORDER BY coalesce(u.used, 0) DESC, m.user_id
