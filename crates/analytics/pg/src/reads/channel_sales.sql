WITH visited AS (
    SELECT d.value AS channel, d.sessions
    FROM analytics_daily AS d
    WHERE d.domain_id = $1 AND d.dimension = -2 AND d.day >= $2 AND d.day < $3
    UNION ALL
    SELECT r.value, r.sessions
    FROM analytics_dimension_days($1, $4, $5, NULL, -2) AS r
), sold AS (
    SELECT o.value AS channel, o.currency, o.orders, o.valued_orders, o.revenue_cents
    FROM analytics_dimension_orders AS o
    WHERE o.domain_id = $1 AND o.dimension = -5 AND o.day >= $2 AND o.day < $3
    UNION ALL
    SELECT r.channel, r.currency, r.orders, r.valued_orders, r.revenue_cents
    FROM analytics_touched_orders($1, $4, $5) AS r
), figures AS (
    SELECT v.channel, v.sessions, 0 AS orders, 0 AS valued_orders, 0 AS cents
    FROM visited AS v
    UNION ALL
    SELECT
        s.channel, 0, s.orders, CASE WHEN s.currency IN ('', $6) THEN s.valued_orders ELSE 0 END,
        CASE WHEN s.currency IN ('', $6) THEN s.revenue_cents ELSE 0 END
    FROM sold AS s
)
SELECT
    f.channel, sum(f.sessions)::bigint AS sessions, sum(f.orders)::bigint AS orders,
    sum(f.valued_orders)::bigint AS valued_orders, analytics_cents(sum(f.cents)) AS cents
FROM figures AS f
GROUP BY 1
ORDER BY 5 DESC, 3 DESC, 2 DESC, 1
