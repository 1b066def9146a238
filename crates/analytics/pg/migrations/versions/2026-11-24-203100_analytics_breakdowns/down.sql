-- Takes the roll-ups by dimension, action and step back; they can be made anew.
-- Locks: ACCESS EXCLUSIVE on analytics_daily, analytics_revenue and the tables that go.

DROP TABLE analytics_actions;
DROP TABLE analytics_dimension_orders;

ALTER TABLE analytics_revenue
    DROP COLUMN views,
    DROP COLUMN add_to_carts,
    DROP COLUMN checkouts,
    DROP COLUMN valued_orders,
    DROP COLUMN repeated_orders,
    DROP COLUMN items_sold;

DELETE FROM analytics_daily WHERE dimension <> -1;
ALTER TABLE analytics_daily
    DROP CONSTRAINT analytics_daily_pkey,
    DROP COLUMN second,
    ADD PRIMARY KEY (domain_id, dimension, day, value);
COMMENT ON COLUMN analytics_daily.dimension IS '-1: all sessions of the day, with 0 for the value; else as in analytics_values.';
