-- A refund that names no value is the whole order.
INSERT INTO analytics_commerce (
    domain_id, at, hit_id, session_id, visitor_id, step, value_cents, currency, is_repeated
)
SELECT
    c.domain_id, c.at, c.hit_id, c.session_id, c.visitor_id, c.step, coalesce(c.value_cents, o.value_cents),
    CASE WHEN c.value_cents IS NULL AND o.order_id IS NOT NULL THEN o.currency ELSE c.currency END, c.is_repeated
FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS c (
    domain_id, at, hit_id, session_id, visitor_id, step, value_cents, currency, is_repeated, order_id
)
LEFT JOIN analytics_orders AS o ON c.step = 4 AND o.domain_id = c.domain_id AND o.order_id = c.order_id
