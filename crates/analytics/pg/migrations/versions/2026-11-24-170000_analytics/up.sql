-- The tables of what visitors do: settings, a dictionary of values, sessions and what happened in them, roll-ups.
-- Locks: creates tables only; its references take SHARE ROW EXCLUSIVE on domains and users for a moment.
--
-- Tables that each beacon writes to refer to no other: checking that for each row costs more than storing it, and domains
-- are never deleted but softly.

CREATE TABLE analytics_sites (
    domain_id uuid PRIMARY KEY REFERENCES domains (id),
    settings jsonb NOT NULL,
    enabled boolean NOT NULL GENERATED ALWAYS AS ((settings -> 'enabled')::boolean) STORED,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    updated_by uuid REFERENCES users (id)
);
CREATE INDEX analytics_sites_updated_by_idx ON analytics_sites (updated_by);
COMMENT ON TABLE analytics_sites IS 'The settings of web analytics of a domain.';
COMMENT ON COLUMN analytics_sites.settings IS 'All settings. Networks that are left out are among them, and are never shown.';
COMMENT ON COLUMN analytics_sites.enabled IS 'Read out of the settings.';
COMMENT ON COLUMN analytics_sites.updated_by IS 'Who changed the settings last; null: Pharos itself.';

CREATE TABLE analytics_values (
    id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    domain_id uuid NOT NULL REFERENCES domains (id),
    dimension smallint NOT NULL,
    value text NOT NULL CHECK (octet_length(value) <= 2000)
);
CREATE UNIQUE INDEX analytics_values_value_key ON analytics_values (domain_id, dimension, value);
COMMENT ON TABLE analytics_values IS
    'The dictionary: what stands for a text in sessions, hits and roll-ups. Rows never change.';
COMMENT ON COLUMN analytics_values.dimension IS 'The dimension that it is a value of, as the crate numbers them.';

CREATE TABLE analytics_new_values (
    domain_id uuid NOT NULL REFERENCES domains (id),
    dimension smallint NOT NULL,
    day date NOT NULL,
    made integer NOT NULL,
    PRIMARY KEY (domain_id, dimension, day)
);
COMMENT ON TABLE analytics_new_values IS
    'How many values a domain has added to the dictionary on a UTC day: beyond a bound they are all (other).';

CREATE TABLE analytics_beacons (
    domain_id uuid NOT NULL,
    beacon_id uuid NOT NULL,
    stored_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (domain_id, beacon_id)
);
CREATE INDEX analytics_beacons_stored_at_idx ON analytics_beacons USING brin (stored_at);
COMMENT ON TABLE analytics_beacons IS 'The beacons of the last 48 hours, so that one which is sent again counts once.';

CREATE TABLE analytics_visitors (
    domain_id uuid NOT NULL,
    visitor_id bigint NOT NULL,
    visits bigint[] NOT NULL DEFAULT '{}',
    touched_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (domain_id, visitor_id)
) WITH (fillfactor = 70);
COMMENT ON TABLE analytics_visitors IS
    'Visitors whose sessions may still change. Whoever stores a beacon locks its visitor''s row, so that two nodes never make two sessions of one.';
COMMENT ON COLUMN analytics_visitors.visits IS
    'Their sessions in order, three numbers each: id, beginning and end in microseconds since 1970.';

CREATE TABLE analytics_sessions (
    domain_id uuid NOT NULL,
    started_at timestamptz NOT NULL,
    id bigint NOT NULL,
    visitor_id bigint NOT NULL,
    ended_at timestamptz NOT NULL,
    pageviews integer NOT NULL,
    events integer NOT NULL,
    clicks integer NOT NULL,
    entry_page integer,
    entry_at timestamptz,
    exit_page integer,
    exit_at timestamptz,
    channel smallint NOT NULL,
    source integer NOT NULL,
    medium integer,
    campaign integer,
    term integer,
    content integer,
    referrer integer,
    referrer_path integer,
    country integer,
    region integer,
    city integer,
    device smallint NOT NULL,
    browser integer,
    browser_version integer,
    os integer,
    os_version integer,
    screen integer,
    PRIMARY KEY (domain_id, started_at, id)
) PARTITION BY RANGE (started_at);
COMMENT ON TABLE analytics_sessions IS
    'Sessions. None reaches beyond a UTC midnight. Numbers of dimensions are those of analytics_values. Another index by page or the like misleads the planner into reading months in its order.';
COMMENT ON COLUMN analytics_sessions.visitor_id IS 'On no two days the same.';
COMMENT ON COLUMN analytics_sessions.ended_at IS 'The last that was heard of it.';
COMMENT ON COLUMN analytics_sessions.events IS 'Events of the site''s own, ecommerce among them.';
COMMENT ON COLUMN analytics_sessions.clicks IS 'Downloads and links to other hosts.';
COMMENT ON COLUMN analytics_sessions.entry_page IS 'The first page that was viewed; null: none was.';
COMMENT ON COLUMN analytics_sessions.entry_at IS 'When that was.';
COMMENT ON COLUMN analytics_sessions.exit_page IS 'The last page that was viewed; null: none was.';
COMMENT ON COLUMN analytics_sessions.exit_at IS 'When that was.';
CREATE TABLE analytics_sessions_default PARTITION OF analytics_sessions DEFAULT;
COMMENT ON TABLE analytics_sessions_default IS 'Sessions of months that have no partition: a safety net, normally empty.';

CREATE TABLE analytics_hits (
    domain_id uuid NOT NULL,
    at timestamptz NOT NULL,
    id bigint NOT NULL,
    session_id bigint NOT NULL,
    visitor_id bigint NOT NULL,
    kind smallint NOT NULL CHECK (kind BETWEEN 0 AND 4),
    page integer NOT NULL,
    event integer,
    link integer,
    term integer,
    results integer,
    channel smallint NOT NULL,
    source integer NOT NULL,
    medium integer,
    campaign integer,
    referrer integer,
    country integer,
    device smallint NOT NULL,
    browser integer,
    os integer,
    PRIMARY KEY (domain_id, at, id)
) PARTITION BY RANGE (at);
COMMENT ON TABLE analytics_hits IS
    'The hits of sessions, with those dimensions of its session that reads filter by, so that they need no join.';
COMMENT ON COLUMN analytics_hits.kind IS
    '0: a page was viewed, 1: an event of the site''s own, 2: a link to another host, 3: a download, 4: a search of the site.';
COMMENT ON COLUMN analytics_hits.event IS 'The name of an event; null for all else.';
COMMENT ON COLUMN analytics_hits.link IS 'Where a link or download leads; null for all else.';
COMMENT ON COLUMN analytics_hits.term IS 'The term that was searched for; null for all else, and where terms are not stored.';
COMMENT ON COLUMN analytics_hits.results IS 'How many results a search had; null where the page did not say.';
CREATE TABLE analytics_hits_default PARTITION OF analytics_hits DEFAULT;
COMMENT ON TABLE analytics_hits_default IS 'Hits of months that have no partition: a safety net, normally empty.';

CREATE TABLE analytics_engagements (
    domain_id uuid NOT NULL,
    at timestamptz NOT NULL,
    id bigint NOT NULL,
    session_id bigint,
    load_id bigint NOT NULL,
    page integer NOT NULL,
    visible_ms integer NOT NULL CHECK (visible_ms >= 0),
    scroll_pct smallint CHECK (scroll_pct BETWEEN 0 AND 100),
    PRIMARY KEY (domain_id, at, id)
) PARTITION BY RANGE (at);
COMMENT ON TABLE analytics_engagements IS 'How long pages were visible and in use, and how far down they were seen.';
COMMENT ON COLUMN analytics_engagements.session_id IS 'Null: the visitor has no session that day.';
COMMENT ON COLUMN analytics_engagements.load_id IS 'The page view that it is of: what it says adds up.';
CREATE TABLE analytics_engagements_default PARTITION OF analytics_engagements DEFAULT;
COMMENT ON TABLE analytics_engagements_default IS
    'Engagement of months that have no partition: a safety net, normally empty.';

CREATE TABLE analytics_properties (
    domain_id uuid NOT NULL,
    at timestamptz NOT NULL,
    hit_id bigint NOT NULL,
    place smallint NOT NULL,
    session_id bigint NOT NULL,
    visitor_id bigint NOT NULL,
    event integer NOT NULL,
    property integer NOT NULL,
    text integer,
    number double precision,
    flag boolean,
    PRIMARY KEY (domain_id, at, hit_id, place),
    CHECK (num_nonnulls(text, number, flag) = 1)
) PARTITION BY RANGE (at);
COMMENT ON TABLE analytics_properties IS 'The properties of events, a row each.';
COMMENT ON COLUMN analytics_properties.place IS 'Where it stands among those of its event.';
CREATE TABLE analytics_properties_default PARTITION OF analytics_properties DEFAULT;
COMMENT ON TABLE analytics_properties_default IS
    'Properties of months that have no partition: a safety net, normally empty.';

CREATE TABLE analytics_orders (
    domain_id uuid NOT NULL,
    order_id text NOT NULL CHECK (octet_length(order_id) <= 500),
    ordered_at timestamptz NOT NULL,
    hit_id bigint NOT NULL,
    value_cents bigint,
    currency text NOT NULL,
    PRIMARY KEY (domain_id, order_id)
);
CREATE INDEX analytics_orders_ordered_at_idx ON analytics_orders USING brin (ordered_at);
COMMENT ON TABLE analytics_orders IS 'Orders that have an id: a second one of the same id is no order.';
COMMENT ON COLUMN analytics_orders.currency IS 'ISO 4217; empty: the site''s own.';

CREATE TABLE analytics_commerce (
    domain_id uuid NOT NULL,
    at timestamptz NOT NULL,
    hit_id bigint NOT NULL,
    session_id bigint NOT NULL,
    visitor_id bigint NOT NULL,
    step smallint NOT NULL CHECK (step BETWEEN 0 AND 4),
    value_cents bigint CHECK (value_cents >= 0),
    currency text NOT NULL,
    is_repeated boolean NOT NULL,
    PRIMARY KEY (domain_id, at, hit_id)
) PARTITION BY RANGE (at);
COMMENT ON TABLE analytics_commerce IS 'Events of ecommerce, each beside its hit.';
COMMENT ON COLUMN analytics_commerce.step IS '0: viewed, 1: added to a cart, 2: checkout, 3: purchase, 4: refund.';
COMMENT ON COLUMN analytics_commerce.value_cents IS
    'In hundredths; of a refund that says nothing, that of its order. Null: not known.';
COMMENT ON COLUMN analytics_commerce.currency IS 'ISO 4217; empty: the site''s own.';
COMMENT ON COLUMN analytics_commerce.is_repeated IS 'A purchase whose order id was there before: it is no order.';
CREATE TABLE analytics_commerce_default PARTITION OF analytics_commerce DEFAULT;
COMMENT ON TABLE analytics_commerce_default IS
    'Ecommerce of months that have no partition: a safety net, normally empty.';

CREATE TABLE analytics_items (
    domain_id uuid NOT NULL,
    at timestamptz NOT NULL,
    hit_id bigint NOT NULL,
    place smallint NOT NULL,
    session_id bigint NOT NULL,
    step smallint NOT NULL CHECK (step BETWEEN 0 AND 4),
    product integer NOT NULL,
    name integer,
    category integer,
    brand integer,
    variant integer,
    price_cents bigint,
    quantity integer NOT NULL CHECK (quantity >= 0),
    PRIMARY KEY (domain_id, at, hit_id, place)
) PARTITION BY RANGE (at);
COMMENT ON TABLE analytics_items IS 'The products of events of ecommerce, a row each.';
COMMENT ON COLUMN analytics_items.place IS 'Where it stands among those of its event.';
COMMENT ON COLUMN analytics_items.step IS 'As in analytics_commerce.';
CREATE TABLE analytics_items_default PARTITION OF analytics_items DEFAULT;
COMMENT ON TABLE analytics_items_default IS 'Products of months that have no partition: a safety net, normally empty.';

CREATE TABLE analytics_titles (
    domain_id uuid NOT NULL,
    page integer NOT NULL,
    title text NOT NULL,
    PRIMARY KEY (domain_id, page)
);
COMMENT ON TABLE analytics_titles IS 'The last titles of pages, where the site stores them.';

CREATE TABLE analytics_progress (
    domain_id uuid PRIMARY KEY REFERENCES domains (id),
    first_at timestamptz NOT NULL,
    last_at timestamptz NOT NULL,
    commerce_at timestamptz,
    rolled_until timestamptz
) WITH (fillfactor = 70);
COMMENT ON TABLE analytics_progress IS
    'The days that were received of a domain, and how far they are rolled up. Its row is locked by whoever rolls up, and by whoever stores something of an earlier day.';
COMMENT ON COLUMN analytics_progress.first_at IS 'The first moment of which something was received.';
COMMENT ON COLUMN analytics_progress.last_at IS 'The last such moment, to within a minute.';
COMMENT ON COLUMN analytics_progress.commerce_at IS 'When ecommerce was first recorded; null: never.';
COMMENT ON COLUMN analytics_progress.rolled_until IS
    'The beginning of a UTC day: everything before it is rolled up, nothing after it is read from roll-ups. Null: nothing is.';

CREATE TABLE analytics_daily (
    domain_id uuid NOT NULL,
    dimension smallint NOT NULL,
    day date NOT NULL,
    value integer NOT NULL,
    visitors bigint NOT NULL,
    sessions bigint NOT NULL,
    pageviews bigint NOT NULL,
    bounces bigint NOT NULL,
    duration_ms bigint NOT NULL,
    events bigint NOT NULL,
    PRIMARY KEY (domain_id, dimension, day, value)
);
COMMENT ON TABLE analytics_daily IS 'The sums of the sessions of each UTC day, in all and by the values of a dimension.';
COMMENT ON COLUMN analytics_daily.dimension IS '-1: all sessions of the day, with 0 for the value; else as in analytics_values.';
COMMENT ON COLUMN analytics_daily.value IS 'The number in analytics_values; 0: the sessions that have none.';

CREATE TABLE analytics_pages (
    domain_id uuid NOT NULL,
    grain smallint NOT NULL CHECK (grain IN (0, 1)),
    part smallint NOT NULL CHECK (part BETWEEN 0 AND 2),
    starts_on date NOT NULL,
    page integer NOT NULL,
    visitors bigint NOT NULL,
    pageviews bigint NOT NULL,
    sessions bigint NOT NULL,
    entries bigint NOT NULL,
    exits bigint NOT NULL,
    bounces bigint NOT NULL,
    engaged_ms bigint NOT NULL,
    engaged_views bigint NOT NULL,
    scroll_pct bigint NOT NULL,
    scrolled_views bigint NOT NULL,
    PRIMARY KEY (domain_id, grain, part, starts_on, page)
);
COMMENT ON TABLE analytics_pages IS 'The sums of the views of each page, by UTC day and calendar month.';
COMMENT ON COLUMN analytics_pages.grain IS '0: a day, 1: a month, all of whose days are rolled up.';
COMMENT ON COLUMN analytics_pages.part IS
    'Which sessions: 0: all, 1: those that entered at the page, 2: those that left at it.';
COMMENT ON COLUMN analytics_pages.bounces IS 'The bounces of the sessions that entered there.';
COMMENT ON COLUMN analytics_pages.engaged_views IS 'The views whose time was measured.';
COMMENT ON COLUMN analytics_pages.scroll_pct IS 'The sum of the deepest scrolls of views.';
COMMENT ON COLUMN analytics_pages.scrolled_views IS 'The views whose scroll was measured.';

CREATE TABLE analytics_revenue (
    domain_id uuid NOT NULL,
    day date NOT NULL,
    currency text NOT NULL,
    orders bigint NOT NULL,
    revenue_cents bigint NOT NULL,
    refunds bigint NOT NULL,
    refunded_cents bigint NOT NULL,
    PRIMARY KEY (domain_id, day, currency)
);
COMMENT ON TABLE analytics_revenue IS 'The sums of the orders and refunds of each UTC day, by currency.';
COMMENT ON COLUMN analytics_revenue.currency IS 'ISO 4217; empty: the site''s own.';
