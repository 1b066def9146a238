SELECT
    found.bucket,
    sum(found.views)::bigint AS views,
    sum(found.add_to_carts)::bigint AS add_to_carts,
    sum(found.checkouts)::bigint AS checkouts,
    sum(found.orders)::bigint AS orders,
    coalesce(sum(found.valued_orders) FILTER (WHERE found.currency IN ('', $6)), 0)::bigint AS valued_orders,
    coalesce(sum(found.orders) FILTER (WHERE found.currency NOT IN ('', $6)), 0)::bigint AS unconverted_orders,
    sum(found.repeated_orders)::bigint AS repeated_orders,
    analytics_cents(sum(found.revenue_cents) FILTER (WHERE found.currency IN ('', $6))) AS ordered_cents,
    sum(found.refunds)::bigint AS refunds,
    analytics_cents(sum(found.refunded_cents) FILTER (WHERE found.currency IN ('', $6))) AS refunded_cents,
    sum(found.items_sold)::bigint AS items_sold
FROM (
    SELECT
        d.day::timestamp AT TIME ZONE 'UTC' AS bucket, d.currency, d.views, d.add_to_carts, d.checkouts, d.orders,
        d.valued_orders, d.repeated_orders, d.revenue_cents, d.refunds, d.refunded_cents, d.items_sold
    FROM analytics_revenue AS d
    WHERE d.domain_id = $1 AND d.day >= $2 AND d.day < $3
    UNION ALL
    SELECT
        r.bucket, r.currency, r.views, r.add_to_carts, r.checkouts, r.orders, r.valued_orders, r.repeated_orders,
        r.revenue_cents, r.refunds, r.refunded_cents, r.items_sold
    FROM analytics_commerce_figures($1, $4, $5, $7) AS r
) AS found
GROUP BY 1
ORDER BY 1
