-- Analytics: how much of an order was refunded, so that it is refunded at most to its value. Refunds from before are not known.
-- Locks: ACCESS EXCLUSIVE on analytics_orders for a moment, no rewrite.

ALTER TABLE analytics_orders ADD COLUMN refunded_cents bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN analytics_orders.refunded_cents IS
    'How much of its value was refunded in its currency, in hundredths: never more than all of it.';
COMMENT ON COLUMN analytics_commerce.value_cents IS
    'In hundredths; of a refund at most what was left of its order, and all of that where it says nothing. Null: not known.';
COMMENT ON COLUMN analytics_commerce.is_repeated IS
    'A purchase whose order id was there before, which is no order, or a refund of an order of which nothing was left.';
