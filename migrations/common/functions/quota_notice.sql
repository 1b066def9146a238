CREATE OR REPLACE FUNCTION quota_notice(
    member uuid,
    percent integer,
    used bigint,
    allowance bigint,
    resets_at timestamptz,
    OUT severity text,
    OUT title text,
    OUT body text,
    OUT data jsonb
)
LANGUAGE sql STABLE AS $$
    SELECT CASE percent WHEN 100 THEN 'critical' ELSE 'warning' END,
        CASE
            WHEN member IS NULL THEN format('%s %% of this cycle''s credits are used', percent)
            ELSE format('%s %% of the credits that %s may use are used', percent, who.name)
        END,
        format('%s of %s credits are used; the next cycle begins on %s.', says.spent, says.granted, says.resets_on)
            || CASE
                WHEN percent < 100 THEN ''
                WHEN member IS NULL THEN ' Until then calls that cost credits are refused.'
                ELSE ' Until then calls of this member that cost credits are refused.'
            END,
        jsonb_build_object(
            'scope', CASE WHEN member IS NULL THEN 'workspace' ELSE 'member' END,
            'user_id', member,
            'percent', percent,
            'used', used,
            'limit', allowance,
            'resets_on', says.resets_on
        )
    FROM (
        SELECT to_char(used, 'FM999,999,999,999,999,999,999') AS spent,
            to_char(allowance, 'FM999,999,999,999,999,999,999') AS granted,
            to_char(resets_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS resets_on
    ) AS says
    LEFT JOIN users AS who ON who.id = member
$$;
COMMENT ON FUNCTION quota_notice (uuid, integer, bigint, bigint, timestamptz) IS
    'How a workspace is told that so many percent of its credits of a cycle, or of those that a member''s cap allows, are used. Member null: it is about the workspace.';
