INSERT INTO analytics_orders (domain_id, order_id, ordered_at, hit_id, value_cents, currency)
SELECT told.*
FROM unnest($1, $2, $3, $4, $5, $6) AS told (domain_id, order_id, ordered_at, hit_id, value_cents, currency)
ORDER BY 1, 2
ON CONFLICT DO NOTHING
RETURNING hit_id
