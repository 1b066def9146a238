INSERT INTO analytics_dimension_orders (
    domain_id, dimension, day, value, second, currency, orders, valued_orders, revenue_cents
)
SELECT $1, each.dimension, o.day, o.value, o.second, o.currency, o.orders, o.valued_orders, o.revenue_cents
FROM unnest($4::smallint[]) AS each (dimension)
CROSS JOIN LATERAL analytics_orders_by($1, $2, $3, NULL, each.dimension) AS o
UNION ALL
SELECT $1, -5, t.day, t.channel, 0, t.currency, t.orders, t.valued_orders, t.revenue_cents
FROM analytics_touched_orders($1, $2, $3) AS t
