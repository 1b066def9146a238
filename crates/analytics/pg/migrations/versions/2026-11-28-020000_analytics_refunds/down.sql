-- Locks: ACCESS EXCLUSIVE on analytics_orders for a moment.

ALTER TABLE analytics_orders DROP COLUMN refunded_cents;
COMMENT ON COLUMN analytics_commerce.value_cents IS
    'In hundredths; of a refund that says nothing, that of its order. Null: not known.';
COMMENT ON COLUMN analytics_commerce.is_repeated IS 'A purchase whose order id was there before: it is no order.';
