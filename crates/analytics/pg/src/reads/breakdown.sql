WITH found AS (
    SELECT d.value, d.second, d.visitors, d.sessions, d.pageviews, d.bounces, d.duration_ms, d.events
    FROM analytics_daily AS d
    WHERE d.domain_id = $1 AND d.dimension = $2 AND d.day >= $3 AND d.day < $4
    UNION ALL
    SELECT r.value, r.second, r.visitors, r.sessions, r.pageviews, r.bounces, r.duration_ms, r.events
    FROM analytics_dimension_days($1, $5, $6, $7, $2) AS r
), parts AS (
    SELECT
        f.value, f.second,
        ARRAY[
            sum(f.visitors), sum(f.sessions), sum(f.pageviews), sum(f.bounces), sum(f.duration_ms), sum(f.events)
        ]::bigint[] AS figures
    FROM found AS f
    GROUP BY 1, 2
), listed AS (
    SELECT p.value, p.second, p.figures, row_number() OVER (ORDER BY p.figures[1] DESC, p.value, p.second) AS place
    FROM parts AS p
    ORDER BY p.figures[1] DESC, p.value, p.second
    LIMIT $9
), ordered AS (
    SELECT o.value, o.second, o.currency, o.orders, o.revenue_cents
    FROM analytics_dimension_orders AS o
    WHERE o.domain_id = $1 AND o.dimension = $2 AND o.day >= $3 AND o.day < $4
    UNION ALL
    SELECT r.value, r.second, r.currency, r.orders, r.revenue_cents
    FROM analytics_orders_by($1, $5, $6, $7, $2) AS r
), money AS (
    SELECT
        o.value, o.second, sum(o.orders)::bigint AS orders,
        analytics_cents(sum(o.revenue_cents) FILTER (WHERE o.currency IN ('', $8))) AS cents
    FROM ordered AS o
    GROUP BY 1, 2
)
SELECT
    counted.total, l.value, v.value AS name, w.value AS within, w.dimension AS within_dimension,
    coalesce(l.figures, '{}') AS figures, coalesce(m.orders, 0) AS orders, coalesce(m.cents, 0) AS cents
FROM (SELECT count(*) AS total FROM parts) AS counted
LEFT JOIN listed AS l ON true
LEFT JOIN money AS m ON m.value = l.value AND m.second = l.second
LEFT JOIN analytics_values AS v ON v.domain_id = $1 AND v.id = l.value AND $2 NOT IN (-3, -2)
LEFT JOIN analytics_values AS w ON w.domain_id = $1 AND w.id = l.second
ORDER BY l.place
