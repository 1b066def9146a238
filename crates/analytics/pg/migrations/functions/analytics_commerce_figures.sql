CREATE OR REPLACE FUNCTION analytics_commerce_figures(domain uuid, since timestamptz, until timestamptz, unit text)
RETURNS TABLE (
    bucket timestamptz,
    currency text,
    views bigint,
    add_to_carts bigint,
    checkouts bigint,
    orders bigint,
    valued_orders bigint,
    repeated_orders bigint,
    revenue_cents bigint,
    refunds bigint,
    refunded_cents bigint,
    items_sold bigint
)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT
        date_trunc(unit, c.at, 'UTC'),
        c.currency,
        count(*) FILTER (WHERE c.step = 0),
        count(*) FILTER (WHERE c.step = 1),
        count(*) FILTER (WHERE c.step = 2),
        count(*) FILTER (WHERE c.step = 3 AND NOT c.is_repeated),
        count(c.value_cents) FILTER (WHERE c.step = 3 AND NOT c.is_repeated),
        count(*) FILTER (WHERE c.step = 3 AND c.is_repeated),
        analytics_cents(sum(c.value_cents) FILTER (WHERE c.step = 3 AND NOT c.is_repeated)),
        count(*) FILTER (WHERE c.step = 4 AND NOT c.is_repeated),
        analytics_cents(sum(c.value_cents) FILTER (WHERE c.step = 4 AND NOT c.is_repeated)),
        (sum(i.sold) FILTER (WHERE NOT c.is_repeated))::bigint
    FROM (
        SELECT c.*
        FROM analytics_commerce AS c
        WHERE c.domain_id = domain AND c.at >= since AND c.at < until
    ) AS c
    -- A full join is never a loop within a loop, however few events are expected.
    FULL JOIN (
        SELECT i.at, i.hit_id, sum(i.quantity) AS sold
        FROM analytics_items AS i
        WHERE i.domain_id = domain AND i.at >= since AND i.at < until AND i.step = 3
        GROUP BY 1, 2
    ) AS i ON i.at = c.at AND i.hit_id = c.hit_id
    WHERE num_nulls(c.hit_id) = 0
    GROUP BY 1, 2
$$;
COMMENT ON FUNCTION analytics_commerce_figures (uuid, timestamptz, timestamptz, text) IS
    'The figures of the events of ecommerce between two moments, by currency and hour or day (unit, UTC): the columns of analytics_revenue.';
