SELECT
    found.day,
    analytics_cents(sum(found.revenue_cents - found.refunded_cents) FILTER (WHERE found.currency IN ('', $6))) AS cents,
    sum(found.orders)::bigint AS orders
FROM (
    SELECT d.day, d.currency, d.orders, d.revenue_cents, d.refunds, d.refunded_cents
    FROM analytics_revenue AS d
    WHERE d.domain_id = $1 AND d.day >= $2 AND d.day < $3
    UNION ALL
    SELECT r.day, r.currency, r.orders, r.revenue_cents, r.refunds, r.refunded_cents
    FROM analytics_revenue_days($1, $4, $5) AS r
) AS found
GROUP BY 1
-- The other days have product views alone.
HAVING sum(found.orders + found.refunds) > 0
ORDER BY 1
