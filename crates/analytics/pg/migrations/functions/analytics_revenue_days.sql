CREATE OR REPLACE FUNCTION analytics_revenue_days(domain uuid, since timestamptz, until timestamptz)
RETURNS TABLE (
    day date,
    currency text,
    orders bigint,
    revenue_cents bigint,
    refunds bigint,
    refunded_cents bigint
)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT
        (c.at AT TIME ZONE 'UTC')::date,
        c.currency,
        count(*) FILTER (WHERE c.step = 3),
        analytics_cents(sum(c.value_cents) FILTER (WHERE c.step = 3)),
        count(*) FILTER (WHERE c.step = 4),
        analytics_cents(sum(c.value_cents) FILTER (WHERE c.step = 4))
    FROM analytics_commerce AS c
    WHERE c.domain_id = domain AND c.at >= since AND c.at < until AND c.step IN (3, 4) AND NOT c.is_repeated
    GROUP BY 1, 2
$$;
COMMENT ON FUNCTION analytics_revenue_days (uuid, timestamptz, timestamptz) IS
    'The figures of the orders and refunds between two midnights (UTC), by day and currency: the columns of analytics_revenue.';
