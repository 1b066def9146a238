CREATE OR REPLACE FUNCTION analytics_orders_by(domain uuid, since timestamptz, until timestamptz, filters integer[], dimension integer)
RETURNS TABLE (
    day date,
    value integer,
    second integer,
    currency text,
    orders bigint,
    valued_orders bigint,
    revenue_cents bigint
)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT
        (c.at AT TIME ZONE 'UTC')::date,
        s.value,
        s.second,
        c.currency,
        count(*) FILTER (WHERE c.step = 3),
        count(c.value_cents) FILTER (WHERE c.step = 3),
        analytics_cents(sum(CASE c.step WHEN 3 THEN c.value_cents ELSE -c.value_cents END))
    FROM (
        SELECT c.*
        FROM analytics_commerce AS c
        WHERE c.domain_id = domain AND c.at >= since AND c.at < until AND c.step IN (3, 4) AND NOT c.is_repeated
    ) AS c
    -- A full join is never a loop within a loop, however few sessions are expected.
    FULL JOIN analytics_sessions_by(domain, since, until, filters, dimension) AS s ON s.id = c.session_id
    WHERE num_nulls(c.hit_id, s.id) = 0
    GROUP BY 1, 2, 3, 4
$$;
COMMENT ON FUNCTION analytics_orders_by (uuid, timestamptz, timestamptz, integer[], integer) IS
    'The figures of the orders and refunds between two midnights (UTC), by day, value of a dimension of their sessions, and currency: the columns of analytics_dimension_orders.';
