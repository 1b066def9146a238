CREATE OR REPLACE FUNCTION analytics_touched_orders(domain uuid, since timestamptz, until timestamptz)
RETURNS TABLE (
    day date,
    channel integer,
    currency text,
    orders bigint,
    valued_orders bigint,
    revenue_cents bigint
)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    WITH touched AS (
        -- 18 is direct. A visitor is another one on another day, so that no touch lies before midnight.
        SELECT DISTINCT ON (c.at, c.hit_id) c.at, c.step, c.currency, c.value_cents, s.channel
        FROM (
            SELECT c.*
            FROM analytics_commerce AS c
            WHERE c.domain_id = domain AND c.at >= since AND c.at < until AND c.step IN (3, 4) AND NOT c.is_repeated
        ) AS c
        -- A full join is never a loop within a loop, however few sessions are expected.
        FULL JOIN (
            SELECT s.*
            FROM analytics_sessions AS s
            WHERE s.domain_id = domain AND s.started_at >= since AND s.started_at < until
        ) AS s ON s.visitor_id = c.visitor_id
        WHERE coalesce(s.started_at <= c.at, false)
        ORDER BY c.at, c.hit_id, s.channel = 18, s.started_at DESC
    )
    SELECT
        (t.at AT TIME ZONE 'UTC')::date,
        t.channel::integer,
        t.currency,
        count(*) FILTER (WHERE t.step = 3),
        count(t.value_cents) FILTER (WHERE t.step = 3),
        analytics_cents(sum(CASE t.step WHEN 3 THEN t.value_cents ELSE -t.value_cents END))
    FROM touched AS t
    GROUP BY 1, 2, 3
$$;
COMMENT ON FUNCTION analytics_touched_orders (uuid, timestamptz, timestamptz) IS
    'The figures of the orders and refunds between two midnights (UTC), by day, channel and currency: the channel is that of the visitor''s last session of the day, up to the order, that was not direct; direct where all were.';
