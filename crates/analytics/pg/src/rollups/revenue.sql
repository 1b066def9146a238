INSERT INTO analytics_revenue (
    domain_id, day, currency, views, add_to_carts, checkouts, orders, valued_orders, repeated_orders, revenue_cents, refunds,
    refunded_cents, items_sold
)
SELECT
    $1, (r.bucket AT TIME ZONE 'UTC')::date, r.currency, r.views, r.add_to_carts, r.checkouts, r.orders, r.valued_orders,
    r.repeated_orders, r.revenue_cents, r.refunds, r.refunded_cents, r.items_sold
FROM analytics_commerce_figures($1, $2, $3, 'day') AS r
