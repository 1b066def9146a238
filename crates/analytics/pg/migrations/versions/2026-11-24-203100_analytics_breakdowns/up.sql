-- The sums of visits by dimension, by what was done in them, and by the steps of sales, rolled up by the day.
-- Locks: ACCESS EXCLUSIVE on analytics_daily, whose primary key is built anew, and on analytics_revenue for a moment.
--
-- Days that were rolled up before are rolled up again; until then they are read raw.

ALTER TABLE analytics_daily
    ADD COLUMN second integer NOT NULL DEFAULT 0,
    DROP CONSTRAINT analytics_daily_pkey,
    ADD PRIMARY KEY (domain_id, dimension, day, value, second);
COMMENT ON COLUMN analytics_daily.dimension IS
    '-1: all sessions of the day, with 0 for the value; -2: channels and -3: device classes, as sessions number them; -4: sources with their mediums; else as in analytics_values.';
COMMENT ON COLUMN analytics_daily.second IS
    'The value that it is one within: the medium of a source, the referrer of its path, the country of a region, the region (or country) of a city, the browser or system of a version. 0: nothing, or unknown.';

ALTER TABLE analytics_revenue
    ADD COLUMN views bigint NOT NULL DEFAULT 0,
    ADD COLUMN add_to_carts bigint NOT NULL DEFAULT 0,
    ADD COLUMN checkouts bigint NOT NULL DEFAULT 0,
    ADD COLUMN valued_orders bigint NOT NULL DEFAULT 0,
    ADD COLUMN repeated_orders bigint NOT NULL DEFAULT 0,
    ADD COLUMN items_sold bigint;
COMMENT ON COLUMN analytics_revenue.valued_orders IS 'The orders that said what they are worth.';
COMMENT ON COLUMN analytics_revenue.repeated_orders IS 'Purchases whose order id was there before.';
COMMENT ON COLUMN analytics_revenue.items_sold IS 'Null: no order said what it consists of.';

CREATE TABLE analytics_dimension_orders (
    domain_id uuid NOT NULL,
    dimension smallint NOT NULL,
    day date NOT NULL,
    value integer NOT NULL,
    second integer NOT NULL,
    currency text NOT NULL,
    orders bigint NOT NULL,
    valued_orders bigint NOT NULL,
    revenue_cents bigint NOT NULL,
    PRIMARY KEY (domain_id, dimension, day, value, second, currency)
);
COMMENT ON TABLE analytics_dimension_orders IS
    'The sums of the orders and refunds of each UTC day by the values of a dimension of their sessions, and by currency.';
COMMENT ON COLUMN analytics_dimension_orders.dimension IS
    'As in analytics_daily; -5: channels by the last touch that was not direct.';
COMMENT ON COLUMN analytics_dimension_orders.second IS 'As in analytics_daily.';
COMMENT ON COLUMN analytics_dimension_orders.currency IS 'ISO 4217; empty: the site''s own.';
COMMENT ON COLUMN analytics_dimension_orders.valued_orders IS 'The orders that said what they are worth.';
COMMENT ON COLUMN analytics_dimension_orders.revenue_cents IS 'Orders less refunds.';

CREATE TABLE analytics_actions (
    domain_id uuid NOT NULL,
    kind smallint NOT NULL CHECK (kind BETWEEN 1 AND 4),
    day date NOT NULL,
    value integer NOT NULL,
    page integer NOT NULL,
    hits bigint NOT NULL,
    visitors bigint NOT NULL,
    sessions bigint NOT NULL,
    exits bigint NOT NULL,
    results integer,
    last_at timestamptz NOT NULL,
    PRIMARY KEY (domain_id, kind, day, value, page)
);
COMMENT ON TABLE analytics_actions IS 'The actions in the sessions of each UTC day, by event, link, download or search term.';
COMMENT ON COLUMN analytics_actions.kind IS 'As in analytics_hits.';
COMMENT ON COLUMN analytics_actions.value IS 'The event, link or term, of analytics_values.';
COMMENT ON COLUMN analytics_actions.page IS '0: on all pages; else, of links and downloads, on this one.';
COMMENT ON COLUMN analytics_actions.exits IS 'How often no page was viewed after it in its session.';
COMMENT ON COLUMN analytics_actions.results IS 'How many results the last search had that said so; null: none did.';
COMMENT ON COLUMN analytics_actions.last_at IS 'When it was done last.';

UPDATE analytics_progress SET rolled_until = NULL;
