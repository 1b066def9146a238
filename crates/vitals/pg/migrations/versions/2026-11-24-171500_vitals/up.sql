-- The tables of what visitors feel: settings, a dictionary of texts, views and what they told, histograms.
-- Locks: creates tables only; its references take SHARE ROW EXCLUSIVE on domains and users for a moment.
--
-- Tables that each beacon writes to refer to no other: checking that for each row costs more than storing it, and domains
-- are never deleted but softly.

CREATE TABLE rum_sites (
    domain_id uuid PRIMARY KEY REFERENCES domains (id),
    settings jsonb NOT NULL,
    enabled boolean NOT NULL GENERATED ALWAYS AS ((settings -> 'enabled')::boolean) STORED,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    updated_by uuid REFERENCES users (id)
);
CREATE INDEX rum_sites_updated_by_idx ON rum_sites (updated_by);
COMMENT ON TABLE rum_sites IS 'The settings of real-user monitoring of a domain.';
COMMENT ON COLUMN rum_sites.enabled IS 'Read out of the settings.';
COMMENT ON COLUMN rum_sites.updated_by IS 'Who changed the settings last; null: Pharos itself.';

CREATE TABLE rum_texts (
    id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    domain_id uuid NOT NULL REFERENCES domains (id),
    dimension smallint NOT NULL,
    value text NOT NULL CHECK (octet_length(value) <= 2000),
    used_on date NOT NULL
);
CREATE UNIQUE INDEX rum_texts_value_key ON rum_texts (domain_id, dimension, value);
CREATE INDEX rum_texts_used_on_idx ON rum_texts (used_on);
COMMENT ON TABLE rum_texts IS 'The dictionary: what stands for a text in views and what they told.';
COMMENT ON COLUMN rum_texts.dimension IS 'The dimension that it is a text of, as the crate numbers them.';
COMMENT ON COLUMN rum_texts.used_on IS 'When it was last used, to within a month: one that no view has any more is forgotten.';

CREATE TABLE rum_new_texts (
    domain_id uuid NOT NULL REFERENCES domains (id),
    dimension smallint NOT NULL,
    day date NOT NULL,
    made integer NOT NULL,
    PRIMARY KEY (domain_id, dimension, day)
);
COMMENT ON TABLE rum_new_texts IS
    'How many texts a domain has added to the dictionary on a UTC day: beyond a bound they are all (other).';

CREATE TABLE rum_beacons (
    domain_id uuid NOT NULL,
    beacon_id uuid NOT NULL,
    stored_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (domain_id, beacon_id)
);
CREATE INDEX rum_beacons_stored_at_idx ON rum_beacons USING brin (stored_at);
COMMENT ON TABLE rum_beacons IS 'The beacons of the last 48 hours, so that one which is sent again counts once.';

CREATE TABLE rum_loads (
    domain_id uuid NOT NULL,
    load_id bigint NOT NULL,
    at timestamptz NOT NULL,
    revision integer NOT NULL,
    stored_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (domain_id, load_id)
) WITH (fillfactor = 70);
CREATE INDEX rum_loads_stored_at_idx ON rum_loads USING brin (stored_at);
COMMENT ON TABLE rum_loads IS
    'Page loads of which more may come, for 48 hours. Whoever stores a beacon of one locks its row: the highest revision stays.';
COMMENT ON COLUMN rum_loads.at IS 'When it began, as its first beacon said: that of its rows in all tables.';

CREATE TABLE rum_views (
    domain_id uuid NOT NULL,
    at timestamptz NOT NULL,
    load_id bigint NOT NULL,
    page integer NOT NULL,
    referrer integer,
    navigation smallint NOT NULL,
    was_hidden boolean NOT NULL,
    lcp_ms double precision,
    inp_ms double precision,
    cls double precision,
    fcp_ms double precision,
    ttfb_ms double precision,
    dom_content_loaded_ms double precision,
    load_ms double precision,
    device smallint NOT NULL,
    browser integer,
    browser_version integer,
    os integer,
    os_version integer,
    country integer,
    connection smallint,
    rtt_ms double precision,
    protocol integer,
    device_memory double precision,
    viewport_width integer,
    viewport_height integer,
    errors integer NOT NULL,
    long_frames integer,
    blocking_ms double precision,
    PRIMARY KEY (domain_id, at, load_id)
) PARTITION BY RANGE (at);
COMMENT ON TABLE rum_views IS 'Page views. at is when the load began; numbers of texts are those of rum_texts.';
COMMENT ON COLUMN rum_views.errors IS 'How many errors it had.';
COMMENT ON COLUMN rum_views.long_frames IS 'Long tasks and long animation frames; null: the browser tells of none.';
COMMENT ON COLUMN rum_views.blocking_ms IS 'For how long they kept an interaction waiting, in all.';
COMMENT ON COLUMN rum_views.navigation IS 'In the order of the type in domain, as device, connection and all numbers of kinds are.';
CREATE TABLE rum_views_default PARTITION OF rum_views DEFAULT;
COMMENT ON TABLE rum_views_default IS 'Views of months that have no partition: a safety net, normally empty.';

CREATE TABLE rum_engagements (
    domain_id uuid NOT NULL,
    at timestamptz NOT NULL,
    load_id bigint NOT NULL,
    visible_ms integer,
    scroll_pct smallint CHECK (scroll_pct BETWEEN 0 AND 100),
    interactions integer,
    rage_clicks integer,
    dead_clicks integer,
    tells_reasons boolean NOT NULL,
    PRIMARY KEY (domain_id, at, load_id)
) PARTITION BY RANGE (at);
COMMENT ON TABLE rum_engagements IS
    'The engagement of people with views, and whether the browser says why a page was not restored.';
COMMENT ON COLUMN rum_engagements.tells_reasons IS 'Whether the browser says why a page was not restored from the back/forward cache.';
CREATE TABLE rum_engagements_default PARTITION OF rum_engagements DEFAULT;
COMMENT ON TABLE rum_engagements_default IS 'Engagement of months that have no partition: a safety net, normally empty.';

CREATE TABLE rum_lcp (
    domain_id uuid NOT NULL,
    at timestamptz NOT NULL,
    load_id bigint NOT NULL,
    element integer,
    element_id integer,
    element_class integer,
    resource integer,
    kind smallint NOT NULL,
    ttfb_ms double precision,
    load_delay_ms double precision,
    load_duration_ms double precision,
    render_delay_ms double precision,
    bytes bigint,
    has_high_priority boolean,
    is_lazy boolean,
    is_preloaded boolean,
    PRIMARY KEY (domain_id, at, load_id)
) PARTITION BY RANGE (at);
COMMENT ON TABLE rum_lcp IS 'The causes of the largest contentful paints of views.';
COMMENT ON COLUMN rum_lcp.kind IS '0: an image, 1: text, 2: a frame of a video, 3: a background image, 4: not known.';
COMMENT ON COLUMN rum_lcp.load_delay_ms IS 'Null, as all of the resource, for text.';
CREATE TABLE rum_lcp_default PARTITION OF rum_lcp DEFAULT;
COMMENT ON TABLE rum_lcp_default IS 'Causes of paints of months that have no partition: a safety net, normally empty.';

CREATE TABLE rum_inp (
    domain_id uuid NOT NULL,
    at timestamptz NOT NULL,
    load_id bigint NOT NULL,
    element integer,
    element_id integer,
    element_class integer,
    interaction smallint,
    load_state smallint,
    input_delay_ms double precision,
    processing_ms double precision,
    presentation_ms double precision,
    script_ms double precision,
    style_layout_ms double precision,
    paint_ms double precision,
    unattributed_ms double precision,
    script_url integer,
    function integer,
    invoker integer,
    invoker_type smallint,
    subpart smallint,
    longest_ms double precision,
    forced_layout_ms double precision,
    PRIMARY KEY (domain_id, at, load_id)
) PARTITION BY RANGE (at);
COMMENT ON TABLE rum_inp IS 'The causes of the slowest interactions of views.';
COMMENT ON COLUMN rum_inp.longest_ms IS 'How long the script ran within the interaction that took most of it; what precedes and follows is of it too.';
CREATE TABLE rum_inp_default PARTITION OF rum_inp DEFAULT;
COMMENT ON TABLE rum_inp_default IS 'Causes of interactions of months that have no partition: a safety net, normally empty.';

CREATE TABLE rum_cls (
    domain_id uuid NOT NULL,
    at timestamptz NOT NULL,
    load_id bigint NOT NULL,
    element integer,
    element_id integer,
    element_class integer,
    shift double precision,
    shift_at_ms double precision,
    load_state smallint,
    PRIMARY KEY (domain_id, at, load_id)
) PARTITION BY RANGE (at);
COMMENT ON TABLE rum_cls IS 'The causes of the largest shifts of views.';
CREATE TABLE rum_cls_default PARTITION OF rum_cls DEFAULT;
COMMENT ON TABLE rum_cls_default IS 'Causes of shifts of months that have no partition: a safety net, normally empty.';

CREATE TABLE rum_ttfb (
    domain_id uuid NOT NULL,
    at timestamptz NOT NULL,
    load_id bigint NOT NULL,
    waiting_ms double precision,
    cache_ms double precision,
    dns_ms double precision,
    connection_ms double precision,
    request_ms double precision,
    redirects integer,
    PRIMARY KEY (domain_id, at, load_id)
) PARTITION BY RANGE (at);
COMMENT ON TABLE rum_ttfb IS 'The parts of the time to first byte of views.';
CREATE TABLE rum_ttfb_default PARTITION OF rum_ttfb DEFAULT;
COMMENT ON TABLE rum_ttfb_default IS 'Parts of times of months that have no partition: a safety net, normally empty.';

CREATE TABLE rum_server_timings (
    domain_id uuid NOT NULL,
    at timestamptz NOT NULL,
    load_id bigint NOT NULL,
    place smallint NOT NULL,
    name integer NOT NULL,
    duration_ms double precision NOT NULL,
    PRIMARY KEY (domain_id, at, load_id, place)
) PARTITION BY RANGE (at);
COMMENT ON TABLE rum_server_timings IS 'The times that servers told of themselves by Server-Timing.';
CREATE TABLE rum_server_timings_default PARTITION OF rum_server_timings DEFAULT;
COMMENT ON TABLE rum_server_timings_default IS 'Timings of months that have no partition: a safety net, normally empty.';

CREATE TABLE rum_errors (
    domain_id uuid NOT NULL,
    at timestamptz NOT NULL,
    load_id bigint NOT NULL,
    place smallint NOT NULL,
    kind integer NOT NULL,
    line bigint,
    column_number bigint,
    PRIMARY KEY (domain_id, at, load_id, place)
) PARTITION BY RANGE (at);
COMMENT ON TABLE rum_errors IS 'Errors of scripts on views.';
COMMENT ON COLUMN rum_errors.kind IS 'The kind, as in rum_error_groups.';
CREATE TABLE rum_errors_default PARTITION OF rum_errors DEFAULT;
COMMENT ON TABLE rum_errors_default IS 'Errors of months that have no partition: a safety net, normally empty.';

CREATE TABLE rum_resources (
    domain_id uuid NOT NULL,
    at timestamptz NOT NULL,
    load_id bigint NOT NULL,
    place smallint NOT NULL,
    url integer NOT NULL,
    host integer NOT NULL,
    kind smallint NOT NULL,
    method integer,
    start_ms double precision NOT NULL,
    duration_ms double precision NOT NULL,
    dns_ms double precision,
    connect_ms double precision,
    tls_ms double precision,
    ttfb_ms double precision,
    download_ms double precision,
    transfer_bytes bigint,
    decoded_bytes bigint,
    protocol integer,
    is_render_blocking boolean,
    is_cached boolean,
    status integer,
    is_third_party boolean NOT NULL,
    PRIMARY KEY (domain_id, at, load_id, place)
) PARTITION BY RANGE (at);
COMMENT ON TABLE rum_resources IS 'The resources that views loaded.';
COMMENT ON COLUMN rum_resources.dns_ms IS 'Null, as all parts and sizes, where the resource''s server does not let the page know.';
CREATE TABLE rum_resources_default PARTITION OF rum_resources DEFAULT;
COMMENT ON TABLE rum_resources_default IS 'Resources of months that have no partition: a safety net, normally empty.';

CREATE TABLE rum_frames (
    domain_id uuid NOT NULL,
    at timestamptz NOT NULL,
    load_id bigint NOT NULL,
    place smallint NOT NULL,
    kind smallint NOT NULL,
    start_ms double precision NOT NULL,
    duration_ms double precision NOT NULL,
    blocking_ms double precision NOT NULL,
    style_layout_ms double precision,
    PRIMARY KEY (domain_id, at, load_id, place)
) PARTITION BY RANGE (at);
COMMENT ON TABLE rum_frames IS 'Long tasks and long animation frames of views.';
CREATE TABLE rum_frames_default PARTITION OF rum_frames DEFAULT;
COMMENT ON TABLE rum_frames_default IS 'Frames of months that have no partition: a safety net, normally empty.';

CREATE TABLE rum_scripts (
    domain_id uuid NOT NULL,
    at timestamptz NOT NULL,
    load_id bigint NOT NULL,
    place smallint NOT NULL,
    frame smallint NOT NULL,
    url integer,
    function integer,
    invoker integer,
    invoker_type smallint,
    duration_ms double precision NOT NULL,
    forced_layout_ms double precision NOT NULL,
    is_third_party boolean NOT NULL,
    PRIMARY KEY (domain_id, at, load_id, place)
) PARTITION BY RANGE (at);
COMMENT ON TABLE rum_scripts IS 'The scripts of long animation frames.';
COMMENT ON COLUMN rum_scripts.frame IS 'The place of its frame in rum_frames.';
CREATE TABLE rum_scripts_default PARTITION OF rum_scripts DEFAULT;
COMMENT ON TABLE rum_scripts_default IS 'Scripts of months that have no partition: a safety net, normally empty.';

CREATE TABLE rum_reasons (
    domain_id uuid NOT NULL,
    at timestamptz NOT NULL,
    load_id bigint NOT NULL,
    place smallint NOT NULL,
    reason integer NOT NULL,
    kind smallint NOT NULL,
    PRIMARY KEY (domain_id, at, load_id, place)
) PARTITION BY RANGE (at);
COMMENT ON TABLE rum_reasons IS 'Why pages were not restored from the back/forward cache.';
COMMENT ON COLUMN rum_reasons.kind IS 'Whose fault it is: 0: the page''s, 1: that of a frame of another site, 2: not told.';
CREATE TABLE rum_reasons_default PARTITION OF rum_reasons DEFAULT;
COMMENT ON TABLE rum_reasons_default IS 'Reasons of months that have no partition: a safety net, normally empty.';

CREATE TABLE rum_error_groups (
    kind integer PRIMARY KEY,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    domain_id uuid NOT NULL,
    message text NOT NULL,
    name text,
    source smallint NOT NULL,
    is_handled boolean NOT NULL,
    filename text,
    line bigint,
    column_number bigint,
    stack text,
    causes text[] NOT NULL,
    is_third_party boolean NOT NULL,
    is_opaque boolean NOT NULL,
    first_seen_at timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX rum_error_groups_id_key ON rum_error_groups (domain_id, id);
CREATE INDEX rum_error_groups_last_seen_at_idx ON rum_error_groups (last_seen_at);
COMMENT ON TABLE rum_error_groups IS 'Kinds of errors: one normalised message and top frame each, shown by the first of them.';
COMMENT ON COLUMN rum_error_groups.kind IS 'The number of its key in rum_texts, whose bound bounds the kinds.';
COMMENT ON COLUMN rum_error_groups.last_seen_at IS 'To within a minute.';

CREATE TABLE rum_progress (
    domain_id uuid PRIMARY KEY REFERENCES domains (id),
    first_at timestamptz NOT NULL,
    last_at timestamptz NOT NULL,
    rolled_until timestamptz
) WITH (fillfactor = 70);
COMMENT ON TABLE rum_progress IS
    'The days that were received of a domain, and how far they are rolled up. Its row is locked by whoever rolls up, and by whoever stores something of an earlier day.';
COMMENT ON COLUMN rum_progress.last_at IS 'When the last view began, to within a minute.';
COMMENT ON COLUMN rum_progress.rolled_until IS
    'The beginning of a UTC day: everything before it is rolled up, nothing after it is read from roll-ups. Null: nothing is.';

CREATE TABLE rum_daily (
    domain_id uuid NOT NULL,
    day date NOT NULL,
    device smallint NOT NULL,
    views bigint NOT NULL,
    core_views bigint NOT NULL,
    good_views bigint NOT NULL,
    error_views bigint NOT NULL,
    errors bigint NOT NULL,
    back_forwards bigint NOT NULL,
    restored bigint NOT NULL,
    lcp_good bigint NOT NULL,
    lcp_fair bigint NOT NULL,
    lcp_poor bigint NOT NULL,
    inp_good bigint NOT NULL,
    inp_fair bigint NOT NULL,
    inp_poor bigint NOT NULL,
    cls_good bigint NOT NULL,
    cls_fair bigint NOT NULL,
    cls_poor bigint NOT NULL,
    fcp_good bigint NOT NULL,
    fcp_fair bigint NOT NULL,
    fcp_poor bigint NOT NULL,
    ttfb_good bigint NOT NULL,
    ttfb_fair bigint NOT NULL,
    ttfb_poor bigint NOT NULL,
    PRIMARY KEY (domain_id, day, device)
);
COMMENT ON TABLE rum_daily IS 'The sums of the views of each UTC day, by class of device.';
COMMENT ON COLUMN rum_daily.core_views IS 'Views with one core metric or more.';
COMMENT ON COLUMN rum_daily.good_views IS 'Those of them whose core metrics are all good.';
COMMENT ON COLUMN rum_daily.back_forwards IS 'Views by going back or forward, restored or loaded.';
COMMENT ON COLUMN rum_daily.lcp_good IS 'How many values of the metric lie in which band.';

CREATE TABLE rum_hist (
    domain_id uuid NOT NULL,
    metric smallint NOT NULL,
    day date NOT NULL,
    device smallint NOT NULL,
    bucket smallint NOT NULL,
    n bigint NOT NULL,
    PRIMARY KEY (domain_id, metric, day, device, bucket)
);
COMMENT ON TABLE rum_hist IS 'How many views of each UTC day had a value of which bucket, for percentiles within 1 %.';
COMMENT ON COLUMN rum_hist.bucket IS 'The whole part of the logarithm of the value to the base 1.0199; the least number: nothing.';
