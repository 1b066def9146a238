CREATE OR REPLACE FUNCTION tell_of_quotas(workspace_ids uuid[], user_ids uuid[], costs integer[], unsettled bigint[])
RETURNS void
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    WITH spent AS MATERIALIZED (
        SELECT c.workspace_id, c.user_id, sum(c.cost) AS total
        FROM unnest(workspace_ids, user_ids, costs) WITH ORDINALITY AS c (workspace_id, user_id, cost, ordinal)
        WHERE c.ordinal <> ALL (unsettled)
        GROUP BY c.workspace_id, c.user_id
    ), crossed AS (
        SELECT b.workspace_id, NULL::uuid AS user_id, quota_crossed(b.used - s.total, b.used, b.granted) AS percent,
            b.used, b.granted AS allowance, b.cycle_end
        FROM (SELECT spent.workspace_id, sum(spent.total)::bigint AS total FROM spent GROUP BY spent.workspace_id) AS s
        JOIN credit_balances AS b ON b.workspace_id = s.workspace_id
        UNION ALL
        SELECT b.workspace_id, u.user_id, quota_crossed(u.used - s.total, u.used, m.credit_cap), u.used, m.credit_cap,
            b.cycle_end
        FROM spent AS s
        JOIN credit_balances AS b ON b.workspace_id = s.workspace_id AND b.capped_members > 0
        JOIN members AS m ON m.workspace_id = s.workspace_id AND m.user_id = s.user_id AND m.credit_cap IS NOT NULL
        JOIN credit_member_usage AS u ON u.workspace_id = s.workspace_id AND u.user_id = s.user_id
    )
    INSERT INTO notices (
        id, workspace_id, kind, severity, module, title, body, data, resource_path, created_at
    )
    SELECT uuid_v7(), c.workspace_id, 'quota_warning', n.severity, 'credits', n.title, n.body, n.data,
        '/credits?workspace_id=' || c.workspace_id, now()
    FROM crossed AS c
    CROSS JOIN LATERAL quota_notice(c.user_id, c.percent, c.used, c.allowance, c.cycle_end) AS n
    WHERE c.percent IS NOT NULL;
END
$$;
COMMENT ON FUNCTION tell_of_quotas (uuid[], uuid[], integer[], bigint[]) IS
    'Tells the people of workspaces where the charges of a batch, but for those of these numbers, have used 80 or 100 % of a cycle''s credits, or of what a member''s cap allows. To be called once they are made, by who holds the balances.';
