CREATE OR REPLACE FUNCTION bring_back_cycles(workspace_ids uuid[], present timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    -- Whoever looks into a charge that was not answered looks at the beginning of its cycle, too.
    UPDATE credit_log AS l SET occurred_at = c.cycle_start
    FROM credit_balances AS b
    JOIN workspaces AS w ON w.id = b.workspace_id
    CROSS JOIN LATERAL credit_cycle((w.created_at AT TIME ZONE 'UTC')::date, now()) AS c
    WHERE b.workspace_id = ANY (workspace_ids) AND b.cycle_start > present
        AND l.workspace_id = b.workspace_id AND l.occurred_at > present;
    UPDATE credit_member_usage AS u SET cycle_start = c.cycle_start
    FROM credit_balances AS b
    JOIN workspaces AS w ON w.id = b.workspace_id
    CROSS JOIN LATERAL credit_cycle((w.created_at AT TIME ZONE 'UTC')::date, now()) AS c
    WHERE b.workspace_id = ANY (workspace_ids) AND b.cycle_start > present
        AND u.workspace_id = b.workspace_id AND u.cycle_start = b.cycle_start;
    UPDATE credit_balances AS b SET
        cycle_start = c.cycle_start,
        cycle_end = c.cycle_end,
        used = (
            SELECT coalesce(sum(l.cost), 0)
            FROM credit_log AS l
            WHERE l.workspace_id = b.workspace_id AND l.occurred_at >= c.cycle_start AND l.occurred_at < c.cycle_end
        )
    FROM workspaces AS w
    CROSS JOIN LATERAL credit_cycle((w.created_at AT TIME ZONE 'UTC')::date, now()) AS c
    WHERE b.workspace_id = ANY (workspace_ids) AND b.cycle_start > present AND w.id = b.workspace_id;
END
$$;
COMMENT ON FUNCTION bring_back_cycles (uuid[], timestamptz) IS
    'Begins the present cycle of those workspaces whose cycle lies ahead: a clock began it that has been set back. Its charges become the present one''s. Whoever calls it holds the balances.';
