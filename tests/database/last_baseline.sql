--
-- PostgreSQL database dump
--



SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: analytics_action_days(uuid, timestamp with time zone, timestamp with time zone, integer[], integer); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.analytics_action_days(domain uuid, since timestamp with time zone, until timestamp with time zone, filters integer[], asked integer) RETURNS TABLE(day date, value integer, page integer, hits bigint, visitors bigint, sessions bigint, exits bigint, results integer, last_at timestamp with time zone)
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    WITH done AS (
        SELECT
            (h.at AT TIME ZONE 'UTC')::date AS day,
            CASE asked WHEN 1 THEN h.event WHEN 4 THEN h.term ELSE h.link END AS value,
            -- Only of links and downloads it is told on which pages they are.
            CASE WHEN asked IN (2, 3) THEN h.page END AS page,
            h.at, h.id, h.results, h.session_id, h.visitor_id,
            coalesce(s.exit_at <= h.at, true) AS is_exit
        FROM analytics_hits AS h
        JOIN analytics_filtered_sessions(domain, since, until, filters) AS s ON s.id = h.session_id
        WHERE h.domain_id = domain AND h.at >= since AND h.at < until AND h.kind = asked
    )
    SELECT
        d.day, d.value, coalesce(d.page, 0), count(*), count(DISTINCT d.visitor_id), count(DISTINCT d.session_id),
        count(*) FILTER (WHERE d.is_exit),
        (array_agg(d.results ORDER BY d.at DESC, d.id) FILTER (WHERE d.results IS NOT NULL))[1],
        max(d.at)
    FROM done AS d
    WHERE d.value IS NOT NULL
    GROUP BY GROUPING SETS ((d.day, d.value), (d.day, d.value, d.page))
    HAVING grouping(d.page) = 1 OR d.page IS NOT NULL
$$;


--
-- Name: FUNCTION analytics_action_days(domain uuid, since timestamp with time zone, until timestamp with time zone, filters integer[], asked integer); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.analytics_action_days(domain uuid, since timestamp with time zone, until timestamp with time zone, filters integer[], asked integer) IS 'What was done between two midnights (UTC) in the sessions that fit all filters, of one kind of analytics_hits, by day and value: the columns of analytics_actions.';


--
-- Name: analytics_commerce_figures(uuid, timestamp with time zone, timestamp with time zone, text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.analytics_commerce_figures(domain uuid, since timestamp with time zone, until timestamp with time zone, unit text) RETURNS TABLE(bucket timestamp with time zone, currency text, views bigint, add_to_carts bigint, checkouts bigint, orders bigint, valued_orders bigint, repeated_orders bigint, revenue_cents bigint, refunds bigint, refunded_cents bigint, items_sold bigint)
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    SELECT
        date_trunc(unit, c.at, 'UTC'),
        c.currency,
        count(*) FILTER (WHERE c.step = 0),
        count(*) FILTER (WHERE c.step = 1),
        count(*) FILTER (WHERE c.step = 2),
        count(*) FILTER (WHERE c.step = 3 AND NOT c.is_repeated),
        count(c.value_cents) FILTER (WHERE c.step = 3 AND NOT c.is_repeated),
        count(*) FILTER (WHERE c.step = 3 AND c.is_repeated),
        coalesce(sum(c.value_cents) FILTER (WHERE c.step = 3 AND NOT c.is_repeated), 0)::bigint,
        count(*) FILTER (WHERE c.step = 4),
        coalesce(sum(c.value_cents) FILTER (WHERE c.step = 4), 0)::bigint,
        sum(i.sold)::bigint
    FROM analytics_commerce AS c
    LEFT JOIN (
        SELECT i.at, i.hit_id, sum(i.quantity) AS sold
        FROM analytics_items AS i
        WHERE i.domain_id = domain AND i.at >= since AND i.at < until AND i.step = 3
        GROUP BY 1, 2
    ) AS i ON i.at = c.at AND i.hit_id = c.hit_id AND NOT c.is_repeated
    WHERE c.domain_id = domain AND c.at >= since AND c.at < until
    GROUP BY 1, 2
$$;


--
-- Name: FUNCTION analytics_commerce_figures(domain uuid, since timestamp with time zone, until timestamp with time zone, unit text); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.analytics_commerce_figures(domain uuid, since timestamp with time zone, until timestamp with time zone, unit text) IS 'What the events of ecommerce between two moments come to by currency and hour or day (unit, UTC): the columns of analytics_revenue.';


--
-- Name: analytics_dimension_days(uuid, timestamp with time zone, timestamp with time zone, integer[], integer); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.analytics_dimension_days(domain uuid, since timestamp with time zone, until timestamp with time zone, filters integer[], dimension integer) RETURNS TABLE(day date, value integer, second integer, visitors bigint, sessions bigint, pageviews bigint, bounces bigint, duration_ms bigint, events bigint)
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    SELECT
        (s.started_at AT TIME ZONE 'UTC')::date,
        s.value,
        s.second,
        count(DISTINCT s.visitor_id),
        count(*),
        sum(s.pageviews)::bigint,
        sum(s.bounces)::bigint,
        sum(s.duration_ms)::bigint,
        sum(s.events)::bigint
    FROM analytics_sessions_by(domain, since, until, filters, dimension) AS s
    GROUP BY 1, 2, 3
$$;


--
-- Name: FUNCTION analytics_dimension_days(domain uuid, since timestamp with time zone, until timestamp with time zone, filters integer[], dimension integer); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.analytics_dimension_days(domain uuid, since timestamp with time zone, until timestamp with time zone, filters integer[], dimension integer) IS 'What the sessions between two midnights (UTC) that fit all filters come to by day and value of a dimension: the columns of analytics_daily.';


SET default_tablespace = '';

--
-- Name: analytics_sessions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.analytics_sessions (
    domain_id uuid NOT NULL,
    started_at timestamp with time zone NOT NULL,
    id bigint NOT NULL,
    visitor_id bigint NOT NULL,
    ended_at timestamp with time zone NOT NULL,
    pageviews integer NOT NULL,
    events integer NOT NULL,
    clicks integer NOT NULL,
    entry_page integer,
    entry_at timestamp with time zone,
    exit_page integer,
    exit_at timestamp with time zone,
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
    screen integer
)
PARTITION BY RANGE (started_at);


--
-- Name: TABLE analytics_sessions; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.analytics_sessions IS 'Sessions. None reaches beyond a UTC midnight. Numbers of dimensions are those of analytics_values. Another index by page or the like misleads the planner into reading months in its order.';


--
-- Name: COLUMN analytics_sessions.visitor_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_sessions.visitor_id IS 'On no two days the same.';


--
-- Name: COLUMN analytics_sessions.ended_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_sessions.ended_at IS 'The last that was heard of it.';


--
-- Name: COLUMN analytics_sessions.events; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_sessions.events IS 'Events of the site''s own, ecommerce among them.';


--
-- Name: COLUMN analytics_sessions.clicks; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_sessions.clicks IS 'Downloads and links to other hosts.';


--
-- Name: COLUMN analytics_sessions.entry_page; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_sessions.entry_page IS 'The first page that was viewed; null: none was.';


--
-- Name: COLUMN analytics_sessions.entry_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_sessions.entry_at IS 'When that was.';


--
-- Name: COLUMN analytics_sessions.exit_page; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_sessions.exit_page IS 'The last page that was viewed; null: none was.';


--
-- Name: COLUMN analytics_sessions.exit_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_sessions.exit_at IS 'When that was.';


--
-- Name: analytics_filtered_sessions(uuid, timestamp with time zone, timestamp with time zone, integer[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.analytics_filtered_sessions(domain uuid, since timestamp with time zone, until timestamp with time zone, filters integer[]) RETURNS SETOF public.analytics_sessions
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    SELECT s.*
    FROM analytics_sessions AS s
    WHERE s.domain_id = domain AND s.started_at >= since AND s.started_at < until
        AND (filters[1] IS NULL OR s.channel = filters[1])
        AND (filters[2] IS NULL OR s.device = filters[2])
        AND (filters[3] IS NULL OR s.source = filters[3])
        AND (filters[4] IS NULL OR s.medium = filters[4])
        AND (filters[5] IS NULL OR s.campaign = filters[5])
        AND (filters[6] IS NULL OR s.country = filters[6])
        AND (filters[7] IS NULL OR s.browser = filters[7])
        AND (filters[8] IS NULL OR s.os = filters[8])
        AND (filters[9] IS NULL OR s.referrer = filters[9])
        AND (filters[10] IS NULL OR s.id IN (
            SELECT h.session_id
            FROM analytics_hits AS h
            WHERE h.domain_id = domain AND h.at >= since AND h.at < until AND h.kind = 0 AND h.page = filters[10]
        ))
        AND (filters[11] IS NULL OR s.id IN (
            SELECT h.session_id
            FROM analytics_hits AS h
            WHERE h.domain_id = domain AND h.at >= since AND h.at < until AND h.kind = 1 AND h.event = filters[11]
        ))
$$;


--
-- Name: FUNCTION analytics_filtered_sessions(domain uuid, since timestamp with time zone, until timestamp with time zone, filters integer[]); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.analytics_filtered_sessions(domain uuid, since timestamp with time zone, until timestamp with time zone, filters integer[]) IS 'The sessions between two midnights (UTC) that fit all filters. In order: channel, device, source, medium, campaign, country, browser, os, referrer, a page that was viewed, an event that happened. A filter that is null fits all; so does null for all of them.';


--
-- Name: analytics_filtered_views(uuid, timestamp with time zone, timestamp with time zone, integer[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.analytics_filtered_views(domain uuid, since timestamp with time zone, until timestamp with time zone, filters integer[]) RETURNS TABLE(page integer, session_id bigint, visitor_id bigint)
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    SELECT v.page, v.session_id, v.visitor_id
    FROM analytics_hits AS v
    WHERE v.domain_id = domain AND v.at >= since AND v.at < until AND v.kind = 0
        AND (filters[1] IS NULL OR v.channel = filters[1])
        AND (filters[2] IS NULL OR v.device = filters[2])
        AND (filters[3] IS NULL OR v.source = filters[3])
        AND (filters[4] IS NULL OR v.medium = filters[4])
        AND (filters[5] IS NULL OR v.campaign = filters[5])
        AND (filters[6] IS NULL OR v.country = filters[6])
        AND (filters[7] IS NULL OR v.browser = filters[7])
        AND (filters[8] IS NULL OR v.os = filters[8])
        AND (filters[9] IS NULL OR v.referrer = filters[9])
        AND (filters[10] IS NULL OR v.session_id IN (
            SELECT h.session_id
            FROM analytics_hits AS h
            WHERE h.domain_id = domain AND h.at >= since AND h.at < until AND h.kind = 0 AND h.page = filters[10]
        ))
        AND (filters[11] IS NULL OR v.session_id IN (
            SELECT h.session_id
            FROM analytics_hits AS h
            WHERE h.domain_id = domain AND h.at >= since AND h.at < until AND h.kind = 1 AND h.event = filters[11]
        ))
$$;


--
-- Name: FUNCTION analytics_filtered_views(domain uuid, since timestamp with time zone, until timestamp with time zone, filters integer[]); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.analytics_filtered_views(domain uuid, since timestamp with time zone, until timestamp with time zone, filters integer[]) IS 'The page views between two midnights (UTC) of the sessions that fit all filters, as analytics_filtered_sessions has them.';


--
-- Name: analytics_orders_by(uuid, timestamp with time zone, timestamp with time zone, integer[], integer); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.analytics_orders_by(domain uuid, since timestamp with time zone, until timestamp with time zone, filters integer[], dimension integer) RETURNS TABLE(day date, value integer, second integer, currency text, orders bigint, valued_orders bigint, revenue_cents bigint)
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    SELECT
        (c.at AT TIME ZONE 'UTC')::date,
        s.value,
        s.second,
        c.currency,
        count(*) FILTER (WHERE c.step = 3),
        count(c.value_cents) FILTER (WHERE c.step = 3),
        coalesce(sum(CASE c.step WHEN 3 THEN c.value_cents ELSE -c.value_cents END), 0)::bigint
    FROM analytics_commerce AS c
    JOIN analytics_sessions_by(domain, since, until, filters, dimension) AS s ON s.id = c.session_id
    WHERE c.domain_id = domain AND c.at >= since AND c.at < until AND c.step IN (3, 4) AND NOT c.is_repeated
    GROUP BY 1, 2, 3, 4
$$;


--
-- Name: FUNCTION analytics_orders_by(domain uuid, since timestamp with time zone, until timestamp with time zone, filters integer[], dimension integer); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.analytics_orders_by(domain uuid, since timestamp with time zone, until timestamp with time zone, filters integer[], dimension integer) IS 'What the orders and refunds between two midnights (UTC) come to by day, value of a dimension of their sessions, and currency: the columns of analytics_dimension_orders.';


--
-- Name: analytics_page_figures(uuid, timestamp with time zone, timestamp with time zone, integer[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.analytics_page_figures(domain uuid, since timestamp with time zone, until timestamp with time zone, filters integer[]) RETURNS TABLE(part smallint, page integer, visitors bigint, pageviews bigint, sessions bigint, entries bigint, exits bigint, bounces bigint, engaged_ms bigint, engaged_views bigint, scroll_pct bigint, scrolled_views bigint)
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    WITH kept AS (
        SELECT
            s.id, s.visitor_id, s.entry_page, s.exit_page,
            (s.pageviews = 1 AND s.events = 0 AND s.clicks = 0)::integer AS bounced
        FROM analytics_filtered_sessions(domain, since, until, filters) AS s
    ), viewed AS (
        SELECT v.page, v.session_id, v.visitor_id, count(*) AS views
        FROM analytics_filtered_views(domain, since, until, filters) AS v
        GROUP BY 1, 2, 3
    ), seen AS (
        -- What was measured of each page view: one page load may say it in parts. Days add up, so one that goes on after
        -- midnight is a view of both.
        SELECT e.page, e.session_id, sum(e.visible_ms) AS visible_ms, max(e.scroll_pct) AS scroll_pct
        FROM analytics_engagements AS e
        WHERE e.domain_id = domain AND e.at >= since AND e.at < until
            AND (coalesce(num_nonnulls(VARIADIC filters), 0) = 0 OR e.session_id IN (SELECT k.id FROM kept AS k))
        GROUP BY e.page, e.session_id, e.load_id, (e.at AT TIME ZONE 'UTC')::date
    ), engaged AS (
        SELECT
            s.page, s.session_id, sum(s.visible_ms) AS engaged_ms, count(*) AS engaged_views,
            sum(s.scroll_pct) AS scroll_pct, count(s.scroll_pct) AS scrolled_views
        FROM seen AS s
        GROUP BY 1, 2
    ), figures AS (
        SELECT
            0 AS part, v.page, count(DISTINCT v.visitor_id) AS visitors, sum(v.views) AS pageviews, count(*) AS sessions,
            0 AS entries, 0 AS exits, 0 AS bounces, 0 AS engaged_ms, 0 AS engaged_views, 0 AS scroll_pct,
            0 AS scrolled_views
        FROM viewed AS v
        GROUP BY v.page
        UNION ALL
        SELECT 0, k.entry_page, 0, 0, 0, count(*), 0, sum(k.bounced), 0, 0, 0, 0
        FROM kept AS k
        WHERE k.entry_page IS NOT NULL
        GROUP BY k.entry_page
        UNION ALL
        SELECT 0, k.exit_page, 0, 0, 0, 0, count(*), 0, 0, 0, 0, 0
        FROM kept AS k
        WHERE k.exit_page IS NOT NULL
        GROUP BY k.exit_page
        UNION ALL
        SELECT
            0, e.page, 0, 0, 0, 0, 0, 0, sum(e.engaged_ms), sum(e.engaged_views), sum(e.scroll_pct), sum(e.scrolled_views)
        FROM engaged AS e
        GROUP BY e.page
        UNION ALL
        SELECT
            1, k.entry_page, count(DISTINCT k.visitor_id), sum(v.views), count(*), count(*), 0, sum(k.bounced),
            sum(e.engaged_ms), sum(e.engaged_views), sum(e.scroll_pct), sum(e.scrolled_views)
        FROM kept AS k
        JOIN viewed AS v ON v.session_id = k.id AND v.page = k.entry_page
        LEFT JOIN engaged AS e ON e.session_id = k.id AND e.page = k.entry_page
        GROUP BY k.entry_page
        UNION ALL
        SELECT
            2, k.exit_page, count(DISTINCT k.visitor_id), sum(v.views), count(*), 0, count(*), 0,
            sum(e.engaged_ms), sum(e.engaged_views), sum(e.scroll_pct), sum(e.scrolled_views)
        FROM kept AS k
        JOIN viewed AS v ON v.session_id = k.id AND v.page = k.exit_page
        LEFT JOIN engaged AS e ON e.session_id = k.id AND e.page = k.exit_page
        GROUP BY k.exit_page
    )
    SELECT
        f.part::smallint, f.page, sum(f.visitors)::bigint, sum(f.pageviews)::bigint, sum(f.sessions)::bigint,
        sum(f.entries)::bigint, sum(f.exits)::bigint, sum(f.bounces)::bigint, coalesce(sum(f.engaged_ms), 0)::bigint,
        coalesce(sum(f.engaged_views), 0)::bigint, coalesce(sum(f.scroll_pct), 0)::bigint,
        coalesce(sum(f.scrolled_views), 0)::bigint
    FROM figures AS f
    GROUP BY f.part, f.page
$$;


--
-- Name: FUNCTION analytics_page_figures(domain uuid, since timestamp with time zone, until timestamp with time zone, filters integer[]); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.analytics_page_figures(domain uuid, since timestamp with time zone, until timestamp with time zone, filters integer[]) IS 'What the views of each page between two midnights (UTC) come to, of the sessions that fit all filters: the columns of analytics_pages. Part 0: all of them, 1: those that entered at the page, 2: those that left at it.';


--
-- Name: analytics_revenue_days(uuid, timestamp with time zone, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.analytics_revenue_days(domain uuid, since timestamp with time zone, until timestamp with time zone) RETURNS TABLE(day date, currency text, orders bigint, revenue_cents bigint, refunds bigint, refunded_cents bigint)
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    SELECT
        (c.at AT TIME ZONE 'UTC')::date,
        c.currency,
        count(*) FILTER (WHERE c.step = 3),
        coalesce(sum(c.value_cents) FILTER (WHERE c.step = 3), 0)::bigint,
        count(*) FILTER (WHERE c.step = 4),
        coalesce(sum(c.value_cents) FILTER (WHERE c.step = 4), 0)::bigint
    FROM analytics_commerce AS c
    WHERE c.domain_id = domain AND c.at >= since AND c.at < until AND c.step IN (3, 4) AND NOT c.is_repeated
    GROUP BY 1, 2
$$;


--
-- Name: FUNCTION analytics_revenue_days(domain uuid, since timestamp with time zone, until timestamp with time zone); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.analytics_revenue_days(domain uuid, since timestamp with time zone, until timestamp with time zone) IS 'What the orders and refunds between two midnights (UTC) come to by day and currency: the columns of analytics_revenue.';


--
-- Name: analytics_session_days(uuid, timestamp with time zone, timestamp with time zone, integer[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.analytics_session_days(domain uuid, since timestamp with time zone, until timestamp with time zone, filters integer[]) RETURNS TABLE(day date, visitors bigint, sessions bigint, pageviews bigint, bounces bigint, duration_ms bigint, events bigint)
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    SELECT
        (s.started_at AT TIME ZONE 'UTC')::date,
        count(DISTINCT s.visitor_id),
        count(*),
        coalesce(sum(s.pageviews), 0)::bigint,
        count(*) FILTER (WHERE s.pageviews = 1 AND s.events = 0 AND s.clicks = 0),
        coalesce(sum(floor(extract(epoch FROM s.ended_at - s.started_at) * 1000)), 0)::bigint,
        coalesce(sum(s.events), 0)::bigint
    FROM analytics_filtered_sessions(domain, since, until, filters) AS s
    GROUP BY 1
$$;


--
-- Name: FUNCTION analytics_session_days(domain uuid, since timestamp with time zone, until timestamp with time zone, filters integer[]); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.analytics_session_days(domain uuid, since timestamp with time zone, until timestamp with time zone, filters integer[]) IS 'What the sessions between two midnights (UTC) that fit all filters come to by day: the columns of analytics_daily.';


--
-- Name: analytics_sessions_by(uuid, timestamp with time zone, timestamp with time zone, integer[], integer); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.analytics_sessions_by(domain uuid, since timestamp with time zone, until timestamp with time zone, filters integer[], dimension integer) RETURNS TABLE(id bigint, visitor_id bigint, started_at timestamp with time zone, pageviews integer, events integer, bounces integer, duration_ms numeric, value integer, second integer)
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    SELECT
        s.id, s.visitor_id, s.started_at, s.pageviews, s.events,
        (s.pageviews = 1 AND s.events = 0 AND s.clicks = 0)::integer,
        floor(extract(epoch FROM s.ended_at - s.started_at) * 1000),
        coalesce(CASE dimension
            WHEN -4 THEN s.source
            WHEN -3 THEN s.device
            WHEN -2 THEN s.channel
            WHEN 1 THEN s.source
            WHEN 2 THEN s.medium
            WHEN 3 THEN s.campaign
            WHEN 4 THEN s.term
            WHEN 5 THEN s.content
            WHEN 6 THEN s.referrer
            WHEN 7 THEN s.referrer_path
            WHEN 8 THEN s.country
            WHEN 9 THEN s.region
            WHEN 10 THEN s.city
            WHEN 11 THEN s.browser
            WHEN 12 THEN s.browser_version
            WHEN 13 THEN s.os
            WHEN 14 THEN s.os_version
            WHEN 15 THEN s.screen
        END, 0),
        coalesce(CASE dimension
            WHEN -4 THEN s.medium
            WHEN 7 THEN s.referrer
            WHEN 9 THEN s.country
            WHEN 10 THEN coalesce(s.region, s.country)
            WHEN 12 THEN s.browser
            WHEN 14 THEN s.os
        END, 0)
    FROM analytics_filtered_sessions(domain, since, until, filters) AS s
$$;


--
-- Name: FUNCTION analytics_sessions_by(domain uuid, since timestamp with time zone, until timestamp with time zone, filters integer[], dimension integer); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.analytics_sessions_by(domain uuid, since timestamp with time zone, until timestamp with time zone, filters integer[], dimension integer) IS 'The sessions between two midnights (UTC) that fit all filters, each with its value of a dimension, as analytics_daily numbers both.';


--
-- Name: analytics_touched_orders(uuid, timestamp with time zone, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.analytics_touched_orders(domain uuid, since timestamp with time zone, until timestamp with time zone) RETURNS TABLE(day date, channel integer, currency text, orders bigint, valued_orders bigint, revenue_cents bigint)
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    WITH touched AS (
        -- 18 is direct. A visitor is another one on another day, so that no touch lies before midnight.
        SELECT DISTINCT ON (c.at, c.hit_id) c.at, c.step, c.currency, c.value_cents, s.channel
        FROM analytics_commerce AS c
        JOIN analytics_sessions AS s
            ON s.domain_id = domain AND s.started_at >= since AND s.started_at < until AND s.visitor_id = c.visitor_id
            AND s.started_at <= c.at
        WHERE c.domain_id = domain AND c.at >= since AND c.at < until AND c.step IN (3, 4) AND NOT c.is_repeated
        ORDER BY c.at, c.hit_id, s.channel = 18, s.started_at DESC
    )
    SELECT
        (t.at AT TIME ZONE 'UTC')::date,
        t.channel::integer,
        t.currency,
        count(*) FILTER (WHERE t.step = 3),
        count(t.value_cents) FILTER (WHERE t.step = 3),
        coalesce(sum(CASE t.step WHEN 3 THEN t.value_cents ELSE -t.value_cents END), 0)::bigint
    FROM touched AS t
    GROUP BY 1, 2, 3
$$;


--
-- Name: FUNCTION analytics_touched_orders(domain uuid, since timestamp with time zone, until timestamp with time zone); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.analytics_touched_orders(domain uuid, since timestamp with time zone, until timestamp with time zone) IS 'What the orders and refunds between two midnights (UTC) come to by day, channel and currency: the channel is that of the visitor''s last session of the day, up to the order, that was not direct; direct where all were.';


--
-- Name: bring_back_cycles(uuid[], timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.bring_back_cycles(workspace_ids uuid[], present timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    -- Whoever looks into a charge that was not answered looks at the beginning of its cycle, too.
    UPDATE credit_log AS l SET occurred_at = c.cycle_start
    FROM credit_balances AS b
    JOIN workspaces AS w ON w.id = b.workspace_id
    CROSS JOIN LATERAL credit_cycle((w.created_at AT TIME ZONE 'UTC')::date, now()) AS c
    WHERE b.workspace_id = ANY (workspace_ids) AND b.cycle_start > present
        AND l.workspace_id = b.workspace_id AND l.occurred_at > present;
    UPDATE credit_member_usage AS u SET cycle_start = c.cycle_start
    FROM credit_balances AS b
    JOIN workspaces AS w ON w.id = b.workspace_id
    CROSS JOIN LATERAL credit_cycle((w.created_at AT TIME ZONE 'UTC')::date, now()) AS c
    WHERE b.workspace_id = ANY (workspace_ids) AND b.cycle_start > present
        AND u.workspace_id = b.workspace_id AND u.cycle_start = b.cycle_start;
    UPDATE credit_balances AS b SET
        cycle_start = c.cycle_start,
        cycle_end = c.cycle_end,
        used = (
            SELECT coalesce(sum(l.cost), 0)
            FROM credit_log AS l
            WHERE l.workspace_id = b.workspace_id AND l.occurred_at >= c.cycle_start AND l.occurred_at < c.cycle_end
        )
    FROM workspaces AS w
    CROSS JOIN LATERAL credit_cycle((w.created_at AT TIME ZONE 'UTC')::date, now()) AS c
    WHERE b.workspace_id = ANY (workspace_ids) AND b.cycle_start > present AND w.id = b.workspace_id;
END
$$;


--
-- Name: FUNCTION bring_back_cycles(workspace_ids uuid[], present timestamp with time zone); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.bring_back_cycles(workspace_ids uuid[], present timestamp with time zone) IS 'Begins the present cycle of those workspaces whose cycle lies ahead: a clock began it that has been set back. Its charges become the present one''s. Whoever calls it holds the balances.';


--
-- Name: claim_idempotency_key(uuid, text, integer); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.claim_idempotency_key(credential uuid, key text, patience_ms integer) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
DECLARE
    usual text := current_setting('lock_timeout');
BEGIN
    PERFORM set_config('lock_timeout', patience_ms::text, true);
    PERFORM pg_advisory_xact_lock(hashtextextended(key, hashtextextended(credential::text, 0)));
    PERFORM set_config('lock_timeout', usual, true);
    RETURN true;
EXCEPTION
    WHEN lock_not_available THEN
        RETURN false;
END
$$;


--
-- Name: FUNCTION claim_idempotency_key(credential uuid, key text, patience_ms integer); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.claim_idempotency_key(credential uuid, key text, patience_ms integer) IS 'Makes the transaction the only one that serves the key, once those before it have ended. False: they did not within that many milliseconds.';


--
-- Name: collect_salt(date, bytea); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.collect_salt(wanted date, fresh bytea) RETURNS bytea
    LANGUAGE plpgsql
    AS $$
DECLARE
    today date := (now() AT TIME ZONE 'UTC')::date;
    oldest date := (now() AT TIME ZONE 'UTC' - interval '1 hour')::date;
BEGIN
    IF wanted NOT BETWEEN oldest AND today THEN
        RETURN NULL;
    END IF;
    DELETE FROM collect_salts WHERE day NOT BETWEEN oldest AND today;
    INSERT INTO collect_salts (day, salt) VALUES (wanted, fresh) ON CONFLICT DO NOTHING;
    RETURN (SELECT salt FROM collect_salts WHERE day = wanted);
END
$$;


--
-- Name: FUNCTION collect_salt(wanted date, fresh bytea); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.collect_salt(wanted date, fresh bytea) IS 'The salt of a day, made of fresh bytes if there is none. Null for a day whose salt is gone, or that has not begun.';


--
-- Name: count_capped_members(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.count_capped_members() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF TG_OP <> 'INSERT' AND OLD.credit_cap IS NOT NULL THEN
        UPDATE credit_balances SET capped_members = capped_members - 1 WHERE workspace_id = OLD.workspace_id;
    END IF;
    IF TG_OP <> 'DELETE' AND NEW.credit_cap IS NOT NULL THEN
        UPDATE credit_balances SET capped_members = capped_members + 1 WHERE workspace_id = NEW.workspace_id;
    END IF;
    RETURN NULL;
END
$$;


--
-- Name: FUNCTION count_capped_members(); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.count_capped_members() IS 'Counts a workspace''s members with a cap in its balance.';


--
-- Name: count_report_recipients(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.count_report_recipients() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    template uuid := coalesce(NEW.template_id, OLD.template_id);
BEGIN
    -- Whoever counts at the same time is waited for; the count comes after that.
    PERFORM FROM report_templates AS t WHERE t.id = template FOR NO KEY UPDATE;
    UPDATE report_templates AS t
    SET recipients_count = (
        SELECT count(*) FROM report_recipients AS r
        WHERE r.template_id = t.id AND r.confirmed_at IS NOT NULL AND r.unsubscribed_at IS NULL
    )
    WHERE t.id = template;
    RETURN NULL;
END
$$;


--
-- Name: FUNCTION count_report_recipients(); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.count_report_recipients() IS 'Counts the recipients that the reports of a template go to.';


--
-- Name: credit_cycle(date, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.credit_cycle(anchor date, at timestamp with time zone, OUT cycle_start timestamp with time zone, OUT cycle_end timestamp with time zone) RETURNS record
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
    -- Months are always added to the anchor itself, which clips each to the length of its month.
    SELECT (anchor + make_interval(months => months)) AT TIME ZONE 'UTC',
        (anchor + make_interval(months => months + 1)) AT TIME ZONE 'UTC'
    FROM (
        SELECT apart - (day < anchor + make_interval(months => apart))::integer AS months
        FROM (
            SELECT at AT TIME ZONE 'UTC' AS day,
                (
                    12 * (extract(year FROM at AT TIME ZONE 'UTC') - extract(year FROM anchor))
                    + extract(month FROM at AT TIME ZONE 'UTC') - extract(month FROM anchor)
                )::integer AS apart
        ) AS distance
    ) AS begun
$$;


--
-- Name: FUNCTION credit_cycle(anchor date, at timestamp with time zone, OUT cycle_start timestamp with time zone, OUT cycle_end timestamp with time zone); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.credit_cycle(anchor date, at timestamp with time zone, OUT cycle_start timestamp with time zone, OUT cycle_end timestamp with time zone) IS 'The monthly cycle that a moment lies in, from 00:00 UTC of the anchor''s day of the month; a shorter month uses its last day.';


--
-- Name: day_before(timestamp with time zone, text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.day_before(present timestamp with time zone, kept text) RETURNS timestamp with time zone
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    SELECT date_trunc('day', present AT TIME ZONE 'UTC' - kept::interval) AT TIME ZONE 'UTC'
$$;


--
-- Name: FUNCTION day_before(present timestamp with time zone, kept text); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.day_before(present timestamp with time zone, kept text) IS 'The first moment of the UTC day that lies an interval such as 12 months before a moment. Everything older is no longer kept.';


--
-- Name: drop_deliveries(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.drop_deliveries() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    UPDATE alert_deliveries
    SET state = 'dropped', taken_until = NULL, ended_at = now()
    WHERE channel_id = NEW.id AND state = 'queued';
    RETURN NULL;
END
$$;


--
-- Name: FUNCTION drop_deliveries(); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.drop_deliveries() IS 'What is on its way to a channel that is switched off is dropped, whoever switches it off: it is not to arrive once the channel is on again.';


--
-- Name: drop_partitions(regclass, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.drop_partitions(parent regclass, before timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql
    SET lock_timeout TO '250ms'
    AS $_$
DECLARE
    key text;
    rest regclass;
    partition regclass;
    dropped integer := 0;
BEGIN
    SELECT a.attname, p.partdefid INTO STRICT key, rest
    FROM pg_partitioned_table AS p
    JOIN pg_attribute AS a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0]
    WHERE p.partrelid = parent;
    PERFORM pg_advisory_xact_lock(hashtext('ensure_partitions'));
    FOR partition IN
        SELECT c.oid
        FROM pg_inherits AS i
        JOIN pg_class AS c ON c.oid = i.inhrelid
        WHERE i.inhparent = parent AND c.oid <> rest
            AND substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \(''([^'']+)''\)')::timestamptz <= before
        ORDER BY c.relname
    LOOP
        EXECUTE format('DROP TABLE %s', partition);
        dropped := dropped + 1;
    END LOOP;
    EXECUTE format('DELETE FROM %s WHERE %I < $1', rest, key) USING before;
    RETURN dropped;
EXCEPTION
    WHEN lock_not_available THEN
        RETURN 0;
END
$_$;


--
-- Name: FUNCTION drop_partitions(parent regclass, before timestamp with time zone); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.drop_partitions(parent regclass, before timestamp with time zone) IS 'Drops the partitions of a table that end before a moment, and deletes what the default partition has from before it. Returns how many it dropped: none where the table is in use for too long.';


--
-- Name: ensure_partitions(regclass, text, timestamp with time zone, integer); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.ensure_partitions(parent regclass, grain text, present timestamp with time zone, ahead integer) RETURNS integer
    LANGUAGE plpgsql
    AS $$
DECLARE
    step interval := CASE grain WHEN 'day' THEN interval '1 day' WHEN 'month' THEN interval '1 month' END;
    name_of text := CASE grain WHEN 'day' THEN 'YYYY_MM_DD' ELSE 'YYYY_MM' END;
    first_start timestamp := date_trunc(grain, present AT TIME ZONE 'UTC');
    parent_name text;
    space oid;
    key text;
    rest regclass;
    range_start timestamptz;
    range_end timestamptz;
    partition text;
    created integer := 0;
BEGIN
    IF step IS NULL THEN
        RAISE EXCEPTION 'partitions are made by day or month, not by %', grain;
    END IF;
    SELECT c.relname, c.relnamespace, a.attname, p.partdefid INTO STRICT parent_name, space, key, rest
    FROM pg_partitioned_table AS p
    JOIN pg_class AS c ON c.oid = p.partrelid
    JOIN pg_attribute AS a ON a.attrelid = p.partrelid AND a.attnum = p.partattrs[0]
    WHERE p.partrelid = parent;
    FOR number IN 0..ahead LOOP
        range_start := (first_start + number * step) AT TIME ZONE 'UTC';
        range_end := (first_start + (number + 1) * step) AT TIME ZONE 'UTC';
        partition := parent_name || '_' || to_char(range_start AT TIME ZONE 'UTC', name_of);
        -- Read from the catalogue itself: to_regclass may answer what was true before the wait.
        CONTINUE WHEN EXISTS (SELECT FROM pg_class WHERE relname = partition AND relnamespace = space);
        -- One at a time; whoever waited here finds the partition made.
        PERFORM pg_advisory_xact_lock(hashtext('ensure_partitions'));
        CONTINUE WHEN EXISTS (SELECT FROM pg_class WHERE relname = partition AND relnamespace = space);
        EXECUTE format('CREATE TABLE %I (LIKE %s INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', partition, parent);
        EXECUTE format('COMMENT ON TABLE %I IS %L', partition, format('One %s of %s, UTC.', grain, parent_name));
        -- The parent before its partitions, as everybody locks them.
        EXECUTE format('LOCK TABLE ONLY %s IN SHARE UPDATE EXCLUSIVE MODE', parent);
        -- Nobody writes to the default partition between the move and the attachment, which would fail.
        EXECUTE format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', rest);
        EXECUTE format(
            'WITH moved AS (DELETE FROM %s WHERE %I >= %L AND %I < %L RETURNING *) INSERT INTO %I SELECT * FROM moved',
            rest, key, range_start, key, range_end, partition
        );
        -- Attaching, unlike creating it as a partition, lets rows be written meanwhile.
        EXECUTE format(
            'ALTER TABLE %s ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
            parent, partition, range_start, range_end
        );
        created := created + 1;
    END LOOP;
    RETURN created;
END
$$;


--
-- Name: FUNCTION ensure_partitions(parent regclass, grain text, present timestamp with time zone, ahead integer); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.ensure_partitions(parent regclass, grain text, present timestamp with time zone, ahead integer) IS 'Makes the partitions of a table (by day or month, UTC) for a moment and so many after it, and moves there what the default partition has of them. Returns how many it made.';


--
-- Name: erase_rows_of_domain(uuid, bigint); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.erase_rows_of_domain(domain uuid, most bigint) RETURNS bigint
    LANGUAGE plpgsql
    AS $_$
DECLARE
    place regclass;
    unless_referred_to text;
    erased bigint;
    done bigint := 0;
BEGIN
    FOR place, unless_referred_to IN
        WITH RECURSIVE owned AS (
            SELECT c.oid, c.relkind
            FROM pg_class AS c
            JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attname = 'domain_id' AND NOT a.attisdropped
            WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
                -- The log of what the workspace paid for is the workspace's. It ends after 90 days.
                AND c.oid NOT IN (SELECT relid FROM pg_partition_tree('credit_log'))
        ),
        levels AS (
            SELECT oid, 0 AS level FROM owned
            UNION
            SELECT f.conrelid, l.level + 1
            FROM levels AS l
            JOIN pg_constraint AS f ON f.contype = 'f' AND f.confrelid = l.oid AND f.conrelid <> l.oid
            JOIN owned AS o ON o.oid = f.conrelid
            -- Far more than there are, should tables ever refer to each other in a circle.
            WHERE l.level < 20
        )
        SELECT
            o.oid::regclass,
            (
                SELECT string_agg(
                    format(
                        ' AND NOT EXISTS (SELECT FROM %s AS other WHERE %s)',
                        o.oid::regclass,
                        (
                            SELECT string_agg(format('other.%I = this.%I', refers.attname, referred.attname), ' AND ')
                            FROM unnest(f.conkey, f.confkey) AS k (from_column, to_column)
                            JOIN pg_attribute AS refers ON refers.attrelid = o.oid AND refers.attnum = k.from_column
                            JOIN pg_attribute AS referred ON referred.attrelid = o.oid AND referred.attnum = k.to_column
                        )
                    ),
                    ''
                )
                FROM pg_constraint AS f
                WHERE f.contype = 'f' AND f.conrelid = o.oid AND f.confrelid = o.oid
            )
        FROM owned AS o
        JOIN levels AS l ON l.oid = o.oid
        WHERE o.relkind = 'r'
        GROUP BY o.oid
        ORDER BY max(l.level) DESC, o.oid
    LOOP
        LOOP
            EXECUTE format(
                'DELETE FROM %1$s WHERE ctid = ANY (
                    ARRAY(SELECT this.ctid FROM %1$s AS this WHERE this.domain_id = $1%2$s LIMIT $2)
                )',
                place,
                coalesce(unless_referred_to, '')
            ) USING domain, most - done;
            GET DIAGNOSTICS erased = ROW_COUNT;
            done := done + erased;
            -- What was referred to may go next.
            EXIT WHEN erased = 0 OR done >= most OR unless_referred_to IS NULL;
        END LOOP;
        EXIT WHEN done >= most;
        -- Rows that refer to each other in a circle go together, or not at all.
        IF unless_referred_to IS NOT NULL THEN
            EXECUTE format('DELETE FROM %s WHERE domain_id = $1', place) USING domain;
            GET DIAGNOSTICS erased = ROW_COUNT;
            done := done + erased;
            EXIT WHEN done >= most;
        END IF;
    END LOOP;
    RETURN done;
END
$_$;


--
-- Name: FUNCTION erase_rows_of_domain(domain uuid, most bigint); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.erase_rows_of_domain(domain uuid, most bigint) IS 'Deletes about so many rows of a domain from whichever tables have some. Returns how many it deleted: 0 once there are none. The credit log stays.';


--
-- Name: grant_by_plan(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.grant_by_plan() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    granted_now bigint;
BEGIN
    SELECT credits_per_cycle INTO granted_now FROM plans WHERE key = NEW.plan_key FOR SHARE;
    UPDATE credit_balances SET granted = granted_now WHERE workspace_id = NEW.id;
    RETURN NULL;
END
$$;


--
-- Name: FUNCTION grant_by_plan(); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.grant_by_plan() IS 'Grants a workspace what its new plan does.';


--
-- Name: grant_to_workspaces(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.grant_to_workspaces() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    -- In the order in which charges lock. The next statement sees who has left the plan until the locks were ours.
    PERFORM FROM credit_balances AS b
    JOIN workspaces AS w ON w.id = b.workspace_id
    WHERE w.plan_key = NEW.key
    ORDER BY b.workspace_id
    FOR NO KEY UPDATE OF b;
    UPDATE credit_balances AS b SET granted = NEW.credits_per_cycle
    FROM workspaces AS w
    WHERE w.id = b.workspace_id AND w.plan_key = NEW.key;
    RETURN NULL;
END
$$;


--
-- Name: FUNCTION grant_to_workspaces(); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.grant_to_workspaces() IS 'Grants all workspaces of a plan what it was changed to.';


--
-- Name: keep_late_unread(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.keep_late_unread() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO notification_reads (user_id, notification_id)
    SELECT DISTINCT m.user_id, n.id
    FROM new_notifications AS n
    JOIN notification_read_marks AS m ON m.domain_id = n.domain_id AND m.kind = n.kind AND m.read_before > n.created_at;
    RETURN NULL;
END
$$;


--
-- Name: FUNCTION keep_late_unread(); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.keep_late_unread() IS 'Nobody has read a notification that comes after a mark, though by the clock of its node it was made before it.';


--
-- Name: last_read_marks(uuid, uuid, uuid[], text[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.last_read_marks(reader uuid, domain uuid, workspaces uuid[], kinds text[]) RETURNS TABLE(domain_id uuid, kind text, read_before timestamp with time zone)
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    SELECT d.id, k.kind, coalesce(last.read_before, '-infinity')
    FROM domains AS d
    CROSS JOIN unnest(kinds) AS k (kind)
    LEFT JOIN LATERAL (
        SELECT m.read_before
        FROM notification_read_marks AS m
        WHERE m.user_id = reader AND m.domain_id = d.id AND m.kind = k.kind
        ORDER BY m.read_before DESC
        LIMIT 1
    ) AS last ON true
    WHERE (d.id = domain OR d.workspace_id = ANY (workspaces)) AND d.deleted_at IS NULL
$$;


--
-- Name: FUNCTION last_read_marks(reader uuid, domain uuid, workspaces uuid[], kinds text[]); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.last_read_marks(reader uuid, domain uuid, workspaces uuid[], kinds text[]) IS 'Of a live domain, or all of the workspaces, up to where a user has read the notifications of each kind at once.';


--
-- Name: move_runs(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.move_runs() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    touched uuid[];
BEGIN
    SELECT array_agg(DISTINCT n.run_id) INTO touched
    FROM jobs_now AS n
    JOIN jobs_before AS b ON b.id = n.id
    WHERE n.run_id IS NOT NULL
        AND (
            n.state <> b.state
            OR (n.total_items, n.completed_items, n.failed_items)
                IS DISTINCT FROM (b.total_items, b.completed_items, b.failed_items)
        );
    IF touched IS NULL THEN
        RETURN NULL;
    END IF;
    -- Workers end jobs of the same runs at once: all lock in one order, and who comes second sees what the first has done.
    PERFORM id FROM runs WHERE id = ANY(touched) ORDER BY id FOR UPDATE;
    UPDATE runs AS r
    SET status = o.status,
        started_at = o.started_at,
        finished_at = o.finished_at,
        expires_at = CASE
            WHEN o.status IN ('succeeded', 'partial') THEN o.finished_at + make_interval(secs => r.result_seconds)
        END,
        total_items = coalesce(r.requested_items, o.total_items, r.total_items),
        completed_items = coalesce(o.completed_items, r.completed_items),
        failed_items = coalesce(o.failed_items, r.failed_items),
        error_code = CASE WHEN o.has_failed THEN coalesce(o.error_code, 'internal-error') END,
        error_detail = CASE WHEN o.has_failed THEN coalesce(o.error_detail, o.untold) END
    FROM (
        SELECT j.run_id,
            CASE
                WHEN j.open > 0 THEN 'running'
                WHEN j.fruitless = j.jobs THEN 'failed'
                WHEN j.dead > 0 OR j.failed_items > 0 THEN 'partial'
                ELSE 'succeeded'
            END AS status,
            coalesce(run.started_at, j.started_at, j.finished_at) AS started_at,
            CASE WHEN j.open = 0 THEN greatest(j.finished_at, run.started_at, j.started_at) END AS finished_at,
            j.open = 0 AND (j.dead > 0 OR j.fruitless = j.jobs) AS has_failed,
            CASE WHEN j.dead > 0 THEN 'Pharos failed to do it.' ELSE 'All of its items failed.' END AS untold,
            -- No more than the columns hold; of nulls alone the least is not null.
            CASE WHEN j.total_items IS NOT NULL THEN least(j.total_items, 2147483647) END AS total_items,
            CASE WHEN j.completed_items IS NOT NULL THEN least(j.completed_items, 2147483647) END AS completed_items,
            CASE WHEN j.failed_items IS NOT NULL THEN least(j.failed_items, 2147483647) END AS failed_items,
            j.error_code,
            j.error_detail
        FROM (
            SELECT run_id,
                count(*) AS jobs,
                count(*) FILTER (WHERE state IN ('queued', 'running')) AS open,
                count(*) FILTER (WHERE state = 'dead') AS dead,
                -- Nothing came of them: they are dead, or all of their items failed.
                count(*) FILTER (
                    WHERE state = 'dead' OR (failed_items > 0 AND coalesce(completed_items, 0) = 0)
                ) AS fruitless,
                sum(total_items) AS total_items,
                sum(completed_items) AS completed_items,
                sum(failed_items) AS failed_items,
                min(started_at) AS started_at,
                max(finished_at) AS finished_at,
                -- The first job that failed for a reason that the caller is told.
                (array_agg(error_code ORDER BY finished_at, id)
                    FILTER (WHERE state = 'dead' AND error_code IS NOT NULL))[1] AS error_code,
                (array_agg(error_detail ORDER BY finished_at, id)
                    FILTER (WHERE state = 'dead' AND error_code IS NOT NULL))[1] AS error_detail
            FROM jobs
            WHERE run_id = ANY(touched)
            GROUP BY run_id
        ) AS j
        JOIN runs AS run ON run.id = j.run_id
    ) AS o
    WHERE r.id = o.run_id AND r.status IN ('queued', 'running');
    RETURN NULL;
END
$$;


--
-- Name: FUNCTION move_runs(); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.move_runs() IS 'Moves the runs on whose jobs changed their state or their items. What a run comes to is read off its jobs, so that nothing counts twice.';


--
-- Name: notification_read_at(uuid, uuid, uuid, text, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.notification_read_at(reader uuid, notification uuid, domain uuid, kind text, created_at timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $_$
    -- Its own row counts; where it has none, the first mark that was set after it.
    SELECT found.read_at
    FROM (
        (SELECT r.read_at, 1 AS rank FROM notification_reads AS r WHERE r.user_id = $1 AND r.notification_id = $2)
        UNION ALL
        (
            SELECT m.read_at, 2
            FROM notification_read_marks AS m
            WHERE m.user_id = $1 AND m.domain_id = $3 AND m.kind = $4 AND m.read_before > $5
            ORDER BY m.read_before
            LIMIT 1
        )
    ) AS found
    ORDER BY found.rank
    LIMIT 1
$_$;


--
-- Name: FUNCTION notification_read_at(reader uuid, notification uuid, domain uuid, kind text, created_at timestamp with time zone); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.notification_read_at(reader uuid, notification uuid, domain uuid, kind text, created_at timestamp with time zone) IS 'When a user read a notification, alone or with others; null: it is unread.';


--
-- Name: notify_change(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.notify_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM pg_notify('pharos_changes', TG_TABLE_NAME);
    RETURN NULL;
END
$$;


--
-- Name: FUNCTION notify_change(); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.notify_change() IS 'NOTIFY pharos_changes with the name of the table.';


--
-- Name: open_credit_balance(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.open_credit_balance() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO credit_balances (workspace_id, cycle_start, cycle_end, granted)
    SELECT NEW.id, cycle.cycle_start, cycle.cycle_end, p.credits_per_cycle
    FROM plans AS p
    CROSS JOIN credit_cycle((NEW.created_at AT TIME ZONE 'UTC')::date, NEW.created_at) AS cycle
    WHERE p.key = NEW.plan_key
    -- Whoever changes the plan comes before this, or sees the workspace.
    FOR SHARE OF p;
    RETURN NULL;
END
$$;


--
-- Name: FUNCTION open_credit_balance(); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.open_credit_balance() IS 'Gives a new workspace its balance.';


--
-- Name: queue_metric_events(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.queue_metric_events() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO alert_pending_events (rule_id, at, context)
    SELECT r.id, e.at, e.context
    FROM new_events AS e
    JOIN alert_rules AS r ON r.domain_id = e.domain_id AND r.module = e.module AND r.metric = e.metric
    WHERE r.enabled;
    INSERT INTO alert_wakes (domain_id)
    SELECT DISTINCT e.domain_id
    FROM new_events AS e
    WHERE EXISTS (SELECT FROM alert_rules AS r WHERE r.domain_id = e.domain_id AND r.enabled);
    IF FOUND THEN
        PERFORM pg_notify('pharos_due', ' alerts');
    END IF;
    RETURN NULL;
END
$$;


--
-- Name: FUNCTION queue_metric_events(); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.queue_metric_events() IS 'Keeps events for the rules that count them, and has the rules of their domains evaluated at once. It only inserts: whoever records an event waits for no rule.';


--
-- Name: queue_raised_deliveries(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.queue_raised_deliveries() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    queued uuid[];
BEGIN
    -- The receivers of these take nothing, or less than comes. Each channel is looked at once, and no further than to its limit.
    WITH crowded AS MATERIALIZED (
        SELECT c.id
        FROM alert_channels AS c
        WHERE c.workspace_id IN (SELECT n.workspace_id FROM new_notifications AS n)
            AND c.off_reason IS NULL
            AND (
                SELECT count(*)
                FROM (
                    SELECT FROM alert_deliveries AS d WHERE d.channel_id = c.id AND d.state = 'queued' LIMIT 1000
                ) AS waiting
            ) >= 1000
    ),
    added AS (
        INSERT INTO alert_deliveries (id, channel_id, notification_id, event, state, last_error, created_at, ended_at)
        SELECT uuid_v7(), c.id, n.id, told.event, CASE WHEN crowded.id IS NULL THEN 'queued' ELSE 'dropped' END,
            CASE WHEN crowded.id IS NOT NULL THEN '1,000 deliveries were waiting for the channel already' END,
            now(), CASE WHEN crowded.id IS NOT NULL THEN now() END
        FROM new_notifications AS n
        JOIN alert_channels AS c ON c.workspace_id = n.workspace_id
        LEFT JOIN crowded ON crowded.id = c.id
        -- What is over as it begins needs no end, but where what was opened stays open until it is closed.
        JOIN (VALUES ('raised'), ('resolved')) AS told (event)
            ON told.event = 'raised' OR (n.resolved_at IS NOT NULL AND c.target ->> 'kind' IN ('pagerduty', 'opsgenie'))
        WHERE c.off_reason IS NULL
            AND (c.domain_id IS NULL OR c.domain_id = n.domain_id)
            AND (c.modules IS NULL OR n.module = ANY (c.modules))
            AND array_position(ARRAY['info', 'warning', 'critical'], n.severity)
                >= array_position(ARRAY['info', 'warning', 'critical'], c.min_severity)
            -- A channel is not told about itself.
            AND n.data ->> 'channel_id' IS DISTINCT FROM c.id::text
        -- A channel that is being deleted is waited for, and left out.
        FOR KEY SHARE OF c
        RETURNING id, state
    )
    SELECT array_agg(id) FILTER (WHERE state = 'queued') INTO queued FROM added;
    PERFORM send_deliveries(queued);
    RETURN NULL;
END
$$;


--
-- Name: FUNCTION queue_raised_deliveries(); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.queue_raised_deliveries() IS 'Queues new notifications for the channels that want them, so that whoever stores a notification need not know of channels. A channel with 1,000 waiting gets no further ones.';


--
-- Name: queue_report_deliveries(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.queue_report_deliveries() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    WITH added AS (
        INSERT INTO report_deliveries (id, run_id, recipient_id, state, created_at)
        SELECT uuid_v7(), a.run_id, r.id, 'queued', now()
        FROM report_runs AS a
        JOIN report_recipients AS r ON r.template_id = a.template_id
        WHERE a.run_id = NEW.id AND a.is_mailed AND r.confirmed_at IS NOT NULL AND r.unsubscribed_at IS NULL
        -- A recipient that is being removed is waited for, and left out.
        FOR KEY SHARE OF r
        ON CONFLICT DO NOTHING
        RETURNING id
    )
    INSERT INTO jobs (id, kind, payload, state, run_at, attempts, max_attempts, created_at, workspace_id)
    SELECT n.id, 'report_delivery', jsonb_build_object('delivery_id', n.id), 'queued', now(), 0, 11, now(), d.workspace_id
    FROM added AS n
    JOIN domains AS d ON d.id = NEW.domain_id;
    IF FOUND THEN
        PERFORM pg_notify('pharos_jobs', 'report_delivery');
    END IF;
    RETURN NULL;
END
$$;


--
-- Name: FUNCTION queue_report_deliveries(); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.queue_report_deliveries() IS 'Queues a report that is made for the recipients of its template, with the jobs that send it: kind, payload and attempts as reporting::mails has them.';


--
-- Name: queue_resolved_deliveries(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.queue_resolved_deliveries() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    queued uuid[];
BEGIN
    WITH added AS (
        INSERT INTO alert_deliveries (id, channel_id, notification_id, event, state, created_at)
        SELECT uuid_v7(), d.channel_id, d.notification_id, 'resolved', 'queued', now()
        FROM notifications_now AS n
        JOIN notifications_before AS b ON b.id = n.id AND b.resolved_at IS NULL
        JOIN alert_deliveries AS d ON d.notification_id = n.id AND d.event = 'raised' AND d.state IN ('queued', 'sent')
        WHERE n.resolved_at IS NOT NULL
        ON CONFLICT DO NOTHING
        RETURNING id
    )
    SELECT array_agg(id) INTO queued FROM added;
    PERFORM send_deliveries(queued);
    RETURN NULL;
END
$$;


--
-- Name: FUNCTION queue_resolved_deliveries(); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.queue_resolved_deliveries() IS 'Whoever was told of something is told that it is over.';


--
-- Name: quota_crossed(bigint, bigint, bigint); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.quota_crossed(before bigint, after bigint, allowance bigint) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
    -- Four fifths of an allowance, rounded up, without a product that might be too large. Nobody comes from below an
    -- allowance of 0.
    SELECT CASE
        WHEN before < allowance AND after >= allowance THEN 100
        WHEN before < allowance - allowance / 5 AND after >= allowance - allowance / 5 THEN 80
    END
$$;


--
-- Name: FUNCTION quota_crossed(before bigint, after bigint, allowance bigint); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.quota_crossed(before bigint, after bigint, allowance bigint) IS 'The percentage of an allowance, 80 or 100, that charges have used and that was not used before them: the higher of the two. Null: neither.';


--
-- Name: quota_notice(uuid, integer, bigint, bigint, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.quota_notice(member uuid, percent integer, used bigint, allowance bigint, resets_at timestamp with time zone, OUT severity text, OUT title text, OUT body text, OUT data jsonb) RETURNS record
    LANGUAGE sql STABLE
    AS $$
    SELECT CASE percent WHEN 100 THEN 'critical' ELSE 'warning' END,
        CASE
            WHEN member IS NULL THEN format('%s %% of this cycle''s credits are used', percent)
            ELSE format('%s %% of the credits that %s may use are used', percent, who.name)
        END,
        format('%s of %s credits are used; the next cycle begins on %s.', says.spent, says.granted, says.resets_on)
            || CASE
                WHEN percent < 100 THEN ''
                WHEN member IS NULL THEN ' Until then calls that cost credits are refused.'
                ELSE ' Until then calls of this member that cost credits are refused.'
            END,
        jsonb_build_object(
            'scope', CASE WHEN member IS NULL THEN 'workspace' ELSE 'member' END,
            'user_id', member,
            'percent', percent,
            'used', used,
            'limit', allowance,
            'resets_on', says.resets_on
        )
    FROM (
        SELECT to_char(used, 'FM999,999,999,999,999,999,999') AS spent,
            to_char(allowance, 'FM999,999,999,999,999,999,999') AS granted,
            to_char(resets_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS resets_on
    ) AS says
    LEFT JOIN users AS who ON who.id = member
$$;


--
-- Name: FUNCTION quota_notice(member uuid, percent integer, used bigint, allowance bigint, resets_at timestamp with time zone, OUT severity text, OUT title text, OUT body text, OUT data jsonb); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.quota_notice(member uuid, percent integer, used bigint, allowance bigint, resets_at timestamp with time zone, OUT severity text, OUT title text, OUT body text, OUT data jsonb) IS 'How a workspace is told that so many percent of its credits of a cycle, or of those that a member''s cap allows, are used. Member null: it is about the workspace.';


--
-- Name: raise_notifications(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.raise_notifications() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    -- Statements that may have something to tell seldom do.
    IF NOT EXISTS (SELECT FROM new_notices) THEN
        RETURN NULL;
    END IF;
    INSERT INTO notifications (
        id, workspace_id, domain_id, kind, severity, module, title, body, data, resource_path, created_at
    )
    SELECT id, workspace_id, domain_id, kind, severity, module, title, body, data, resource_path, created_at
    FROM new_notices;
    DELETE FROM notices WHERE id IN (SELECT id FROM new_notices);
    RETURN NULL;
END
$$;


--
-- Name: FUNCTION raise_notifications(); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.raise_notifications() IS 'Makes notifications of notices, and takes them out, so that whoever knows something need not know who tells it.';


--
-- Name: record_certificate_event(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.record_certificate_event() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO metric_events (domain_id, module, metric, at, context)
    VALUES (
        NEW.domain_id, 'uptime', 'ssl_certificate_changed', NEW.replaced_at,
        jsonb_build_object('replaced_fingerprint', NEW.fingerprint)
    );
    RETURN NULL;
END
$$;


--
-- Name: FUNCTION record_certificate_event(); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.record_certificate_event() IS 'Another certificate took the place of this one.';


--
-- Name: record_incident_event(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.record_incident_event() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO metric_events (domain_id, module, metric, at, context)
    VALUES (
        NEW.domain_id, 'uptime', 'incident_changed', coalesce(NEW.resolved_at, NEW.confirmed_at),
        jsonb_build_object('incident_id', NEW.id)
    );
    RETURN NULL;
END
$$;


--
-- Name: FUNCTION record_incident_event(); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.record_incident_event() IS 'An incident began or ended: no metric counts it, and the rules of its domain are evaluated at once.';


--
-- Name: record_registration_events(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.record_registration_events() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO metric_events (domain_id, module, metric, at, context)
    SELECT m.domain_id, 'uptime', 'domain_registration_changed', now(), change.value
    FROM uptime_monitors AS m
    JOIN domains AS d ON d.id = m.domain_id AND d.deleted_at IS NULL
    CROSS JOIN jsonb_array_elements(NEW.changes) AS change (value)
    WHERE m.registrable_domain = NEW.name AND NOT OLD.changes @> jsonb_build_array(change.value);
    RETURN NULL;
END
$$;


--
-- Name: FUNCTION record_registration_events(); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.record_registration_events() IS 'A registration changed: an event for each change and each domain that lies below the name.';


--
-- Name: record_robots_event(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.record_robots_event() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO metric_events (domain_id, module, metric, at, context)
    VALUES (
        NEW.domain_id, 'robots', 'content_changed', NEW.replaced_at,
        jsonb_build_object('replaced_version_id', NEW.id)
    );
    RETURN NULL;
END
$$;


--
-- Name: FUNCTION record_robots_event(); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.record_robots_event() IS 'Another version took the place of this one.';


--
-- Name: reopen_delivery(uuid); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.reopen_delivery(delivery uuid) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    queued uuid[];
BEGIN
    UPDATE alert_deliveries SET state = 'queued', ended_at = NULL WHERE id = delivery AND state = 'failed';
    IF NOT FOUND THEN
        RETURN;
    END IF;
    -- Whoever ends it at this moment either is waited for, or queues the end itself.
    PERFORM FROM notifications AS n
    JOIN alert_deliveries AS d ON d.notification_id = n.id
    WHERE d.id = delivery AND d.event = 'raised'
    FOR SHARE OF n;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    DELETE FROM alert_deliveries AS e
    USING alert_deliveries AS d
    WHERE d.id = delivery
        AND e.notification_id = d.notification_id
        AND e.channel_id = d.channel_id
        AND e.event = 'resolved'
        AND e.state IN ('failed', 'dropped');
    WITH added AS (
        INSERT INTO alert_deliveries (id, channel_id, notification_id, event, state, created_at)
        SELECT uuid_v7(), d.channel_id, n.id, 'resolved', 'queued', now()
        FROM alert_deliveries AS d
        JOIN notifications AS n ON n.id = d.notification_id
        JOIN alert_channels AS c ON c.id = d.channel_id
        WHERE d.id = delivery
            -- As queue_raised_deliveries has it of what is over as it begins.
            AND (n.resolved_at > n.created_at
                OR (n.resolved_at IS NOT NULL AND c.target ->> 'kind' IN ('pagerduty', 'opsgenie')))
        ON CONFLICT DO NOTHING
        RETURNING id
    )
    SELECT array_agg(id) INTO queued FROM added;
    PERFORM send_deliveries(queued);
END
$$;


--
-- Name: FUNCTION reopen_delivery(delivery uuid); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.reopen_delivery(delivery uuid) IS 'A dead letter that is sent again is on its way again, and with it the word that it is over, which was dropped or came to nobody.';


--
-- Name: rum_bucket(double precision, double precision, double precision); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.rum_bucket(value double precision, smallest double precision, growth double precision) RETURNS smallint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
    SELECT CASE WHEN value < smallest THEN -32768 ELSE floor(ln(value) / ln(growth)) END::smallint
$$;


--
-- Name: FUNCTION rum_bucket(value double precision, smallest double precision, growth double precision); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.rum_bucket(value double precision, smallest double precision, growth double precision) IS 'The bucket of a histogram that a value falls into; the least number for nothing.';


--
-- Name: rum_views; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rum_views (
    domain_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
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
    blocking_ms double precision
)
PARTITION BY RANGE (at);


--
-- Name: TABLE rum_views; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.rum_views IS 'Page views. at is when the load began; numbers of texts are those of rum_texts.';


--
-- Name: COLUMN rum_views.navigation; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.rum_views.navigation IS 'In the order of the type in domain, as device, connection and all numbers of kinds are.';


--
-- Name: COLUMN rum_views.errors; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.rum_views.errors IS 'How many errors it had.';


--
-- Name: COLUMN rum_views.long_frames; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.rum_views.long_frames IS 'Long tasks and long animation frames; null: the browser tells of none.';


--
-- Name: COLUMN rum_views.blocking_ms; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.rum_views.blocking_ms IS 'For how long they kept an interaction waiting, in all.';


--
-- Name: rum_chosen_views(uuid, timestamp with time zone, timestamp with time zone, smallint, smallint, smallint, text, text, text, text, text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.rum_chosen_views(domain uuid, since timestamp with time zone, until timestamp with time zone, with_device smallint, over smallint, by_navigation smallint, from_country text, with_browser text, with_os text, below text, page_url text) RETURNS SETOF public.rum_views
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    SELECT v.*
    FROM rum_views AS v
    WHERE v.domain_id = domain AND v.at >= since AND v.at < until
        AND (with_device IS NULL OR v.device = with_device)
        AND (over IS NULL OR v.connection = over)
        AND (by_navigation IS NULL OR v.navigation = by_navigation)
        AND (from_country IS NULL OR v.country = (
            SELECT t.id FROM rum_texts AS t WHERE t.domain_id = domain AND t.dimension = 6 AND t.value = from_country))
        AND (with_browser IS NULL OR v.browser = (
            SELECT t.id FROM rum_texts AS t WHERE t.domain_id = domain AND t.dimension = 2 AND t.value = with_browser))
        AND (with_os IS NULL OR v.os = (
            SELECT t.id FROM rum_texts AS t WHERE t.domain_id = domain AND t.dimension = 4 AND t.value = with_os))
        AND (page_url IS NULL OR v.page = (
            SELECT t.id FROM rum_texts AS t WHERE t.domain_id = domain AND t.dimension = 0 AND t.value = page_url))
        AND (below IS NULL OR v.page IN (
            SELECT t.id FROM rum_texts AS t
            WHERE t.domain_id = domain AND t.dimension = 0 AND starts_with(t.value, below)))
$$;


--
-- Name: FUNCTION rum_chosen_views(domain uuid, since timestamp with time zone, until timestamp with time zone, with_device smallint, over smallint, by_navigation smallint, from_country text, with_browser text, with_os text, below text, page_url text); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.rum_chosen_views(domain uuid, since timestamp with time zone, until timestamp with time zone, with_device smallint, over smallint, by_navigation smallint, from_country text, with_browser text, with_os text, below text, page_url text) IS 'The views between two moments that fit all filters; a filter that is null fits each.';


--
-- Name: rum_figure(double precision); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.rum_figure(value double precision) RETURNS numeric
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
    SELECT round(value::numeric, 1)
$$;


--
-- Name: FUNCTION rum_figure(value double precision); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.rum_figure(value double precision) IS 'A time or a size as answers show it, with one decimal; null stays null.';


--
-- Name: rum_is_good(double precision, double precision, double precision, double precision[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.rum_is_good(lcp_ms double precision, inp_ms double precision, cls double precision, bands double precision[]) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
    SELECT num_nonnulls(lcp_ms, inp_ms, cls) > 0
        AND (lcp_ms <= bands[1]) IS NOT FALSE AND (inp_ms <= bands[3]) IS NOT FALSE AND (cls <= bands[5]) IS NOT FALSE
$$;


--
-- Name: FUNCTION rum_is_good(lcp_ms double precision, inp_ms double precision, cls double precision, bands double precision[]); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.rum_is_good(lcp_ms double precision, inp_ms double precision, cls double precision, bands double precision[]) IS 'Whether a view has a core metric, and those that it has are good, by the bounds of the bands of all metrics, two each.';


--
-- Name: rum_path_template(text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.rum_path_template(address text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $_$
    SELECT regexp_replace(
        coalesce(substring(address FROM '^[^:/]+://[^/]+(/.*)$'), '/'),
        '/(\d+|\[redacted\]|(?=[^/]*\d)[0-9a-f-]{8,})(?=/|$)', '/:id', 'gi'
    )
$_$;


--
-- Name: FUNCTION rum_path_template(address text); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.rum_path_template(address text) IS 'The path of an address in which segments that are numbers, hexadecimal ids or redacted are :id.';


--
-- Name: rum_share_pct(numeric, numeric); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.rum_share_pct(part numeric, whole numeric) RETURNS numeric
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
    SELECT round(100 * part / nullif(whole, 0), 2)
$$;


--
-- Name: FUNCTION rum_share_pct(part numeric, whole numeric); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.rum_share_pct(part numeric, whole numeric) IS 'The share of a part in percent, with two decimals; null where there is no whole.';


--
-- Name: schedule_for_workspace(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.schedule_for_workspace() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    SELECT d.workspace_id INTO NEW.workspace_id FROM domains AS d WHERE d.id = NEW.domain_id;
    RETURN NEW;
END
$$;


--
-- Name: FUNCTION schedule_for_workspace(); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.schedule_for_workspace() IS 'Notes whose the check is.';


--
-- Name: search_all_values(uuid, smallint, smallint, date, date); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.search_all_values(domain uuid, in_type smallint, of_kind smallint, first_day date, last_day date) RETURNS TABLE(value_id bigint, clicks bigint, impressions bigint, position_sum double precision)
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    SELECT s.value_id, s.clicks, s.impressions, s.position_sum
    FROM search_months AS m
    JOIN search_month_sums AS s
        ON s.domain_id = domain AND s.search_type = in_type AND s.kind = of_kind AND s.month = m.month
    WHERE m.domain_id = domain AND m.search_type = in_type
        AND m.month >= first_day AND m.month <= (last_day + 1 - interval '1 month')::date
    UNION ALL
    SELECT s.value_id, s.clicks, s.impressions, s.position_sum
    FROM (
        SELECT greatest(g.month::date, first_day) AS since, least((g.month + interval '1 month')::date - 1, last_day) AS until
        FROM generate_series(date_trunc('month', first_day::timestamp), last_day::timestamp, interval '1 month') AS g (month)
        WHERE NOT EXISTS (
            SELECT FROM search_months AS m
            WHERE m.domain_id = domain AND m.search_type = in_type AND m.month = g.month::date
                AND m.month >= first_day AND m.month <= (last_day + 1 - interval '1 month')::date
        )
        OFFSET 0
    ) AS piece
    CROSS JOIN LATERAL (
        SELECT d.value_id, d.clicks, d.impressions, d.position_sum
        FROM search_sums AS d
        WHERE d.domain_id = domain AND d.search_type = in_type AND d.kind = of_kind
            AND d.date >= first_day AND d.date <= last_day AND d.date >= piece.since AND d.date <= piece.until
        OFFSET 0
    ) AS s
$$;


--
-- Name: FUNCTION search_all_values(domain uuid, in_type smallint, of_kind smallint, first_day date, last_day date); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.search_all_values(domain uuid, in_type smallint, of_kind smallint, first_day date, last_day date) IS 'The sums of the queries (1) or pages (2) of some days, over all places; a value has many rows.';


--
-- Name: search_chosen_pairs(uuid, smallint, smallint, date, date, bigint, text, smallint); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.search_chosen_pairs(domain uuid, in_type smallint, of_kind smallint, first_day date, last_day date, with_other bigint, from_country text, on_device smallint) RETURNS TABLE(value_id bigint, other_id bigint, clicks bigint, impressions bigint, position_sum double precision)
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    SELECT p.query_id, p.page_id, p.clicks, p.impressions, p.position_sum
    FROM search_pairs AS p
    WHERE of_kind = 1 AND p.domain_id = domain AND p.search_type = in_type AND p.date >= first_day AND p.date <= last_day
        AND (with_other IS NULL OR p.page_id = with_other)
        AND (from_country IS NULL OR p.country = from_country)
        AND (on_device IS NULL OR p.device = on_device)
    UNION ALL
    SELECT p.page_id, p.query_id, p.clicks, p.impressions, p.position_sum
    FROM search_pairs AS p
    WHERE of_kind = 2 AND p.domain_id = domain AND p.search_type = in_type AND p.date >= first_day AND p.date <= last_day
        AND (with_other IS NULL OR p.query_id = with_other)
        AND (from_country IS NULL OR p.country = from_country)
        AND (on_device IS NULL OR p.device = on_device)
$$;


--
-- Name: FUNCTION search_chosen_pairs(domain uuid, in_type smallint, of_kind smallint, first_day date, last_day date, with_other bigint, from_country text, on_device smallint); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.search_chosen_pairs(domain uuid, in_type smallint, of_kind smallint, first_day date, last_day date, with_other bigint, from_country text, on_device smallint) IS 'The rows of queries with their pages (1), or of pages with their queries (2), that fit all filters; one that is null fits each.';


--
-- Name: search_chosen_values(uuid, smallint, smallint, date, date, bigint, text, smallint); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.search_chosen_values(domain uuid, in_type smallint, of_kind smallint, first_day date, last_day date, with_other bigint, from_country text, on_device smallint) RETURNS TABLE(value_id bigint, clicks bigint, impressions bigint, position_sum double precision)
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    SELECT s.value_id, s.clicks, s.impressions, s.position_sum
    FROM search_all_values(domain, in_type, of_kind, first_day, last_day) AS s
    WHERE with_other IS NULL AND from_country IS NULL AND on_device IS NULL
    UNION ALL
    SELECT q.query_id, q.clicks, q.impressions, q.position_sum
    FROM search_queries AS q
    WHERE of_kind = 1 AND with_other IS NULL AND (from_country IS NOT NULL OR on_device IS NOT NULL)
        AND q.domain_id = domain AND q.search_type = in_type AND q.date >= first_day AND q.date <= last_day
        AND (from_country IS NULL OR q.country = from_country)
        AND (on_device IS NULL OR q.device = on_device)
    UNION ALL
    SELECT p.page_id, p.clicks, p.impressions, p.position_sum
    FROM search_pages AS p
    WHERE of_kind = 2 AND with_other IS NULL AND (from_country IS NOT NULL OR on_device IS NOT NULL)
        AND p.domain_id = domain AND p.search_type = in_type AND p.date >= first_day AND p.date <= last_day
        AND (from_country IS NULL OR p.country = from_country)
        AND (on_device IS NULL OR p.device = on_device)
    UNION ALL
    SELECT p.query_id, p.clicks, p.impressions, p.position_sum
    FROM search_pairs AS p
    WHERE of_kind = 1 AND with_other IS NOT NULL
        AND p.domain_id = domain AND p.search_type = in_type AND p.page_id = with_other AND p.date >= first_day AND p.date <= last_day
        AND (from_country IS NULL OR p.country = from_country)
        AND (on_device IS NULL OR p.device = on_device)
    UNION ALL
    SELECT p.page_id, p.clicks, p.impressions, p.position_sum
    FROM search_pairs AS p
    WHERE of_kind = 2 AND with_other IS NOT NULL
        AND p.domain_id = domain AND p.search_type = in_type AND p.query_id = with_other AND p.date >= first_day AND p.date <= last_day
        AND (from_country IS NULL OR p.country = from_country)
        AND (on_device IS NULL OR p.device = on_device)
$$;


--
-- Name: FUNCTION search_chosen_values(domain uuid, in_type smallint, of_kind smallint, first_day date, last_day date, with_other bigint, from_country text, on_device smallint); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.search_chosen_values(domain uuid, in_type smallint, of_kind smallint, first_day date, last_day date, with_other bigint, from_country text, on_device smallint) IS 'The rows of queries (1) or pages (2) that fit all filters; one that is null fits each. With a page, queries are counted by page.';


--
-- Name: search_rows(uuid, smallint, date, date, smallint, bigint[], bigint[], bigint[], text[], smallint[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.search_rows(a_domain uuid, a_type smallint, first_day date, last_day date, source smallint, queries bigint[], pages bigint[], appearances bigint[], countries text[], devices smallint[]) RETURNS TABLE(date date, query_id bigint, page_id bigint, appearance_id bigint, country text, device smallint, clicks bigint, impressions bigint, position_sum double precision)
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    SELECT
        s.date, s.query_id, s.page_id, s.appearance_id, s.country, s.device, s.clicks, s.impressions, s.position_sum
    FROM (
        SELECT
            q.date, q.query_id, NULL::bigint AS page_id, NULL::bigint AS appearance_id, q.country, q.device,
            q.clicks, q.impressions, q.position_sum
        FROM search_queries AS q
        WHERE source = 1 AND q.domain_id = a_domain AND q.search_type = a_type
            AND q.date BETWEEN first_day AND last_day
        UNION ALL
        SELECT
            p.date, NULL, p.page_id, NULL, p.country, p.device, p.clicks, p.impressions, p.position_sum
        FROM search_pages AS p
        WHERE source = 2 AND p.domain_id = a_domain AND p.search_type = a_type
            AND p.date BETWEEN first_day AND last_day
        UNION ALL
        SELECT
            b.date, b.query_id, b.page_id, NULL, b.country, b.device, b.clicks, b.impressions, b.position_sum
        FROM search_pairs AS b
        WHERE source = 3 AND b.domain_id = a_domain AND b.search_type = a_type
            AND b.date BETWEEN first_day AND last_day
        UNION ALL
        SELECT
            a.date, NULL, a.page_id, a.appearance_id, NULL, NULL, a.clicks, a.impressions, a.position_sum
        FROM search_appearances AS a
        WHERE source = 4 AND a.domain_id = a_domain AND a.search_type = a_type
            AND a.date BETWEEN first_day AND last_day
        UNION ALL
        SELECT
            m.date, m.value_id, NULL, NULL, NULL, NULL, m.clicks, m.impressions, m.position_sum
        FROM search_sums AS m
        WHERE source = 5 AND m.domain_id = a_domain AND m.search_type = a_type AND m.kind = 1
            AND m.date BETWEEN first_day AND last_day
        UNION ALL
        SELECT
            m.date, NULL, m.value_id, NULL, NULL, NULL, m.clicks, m.impressions, m.position_sum
        FROM search_sums AS m
        WHERE source = 6 AND m.domain_id = a_domain AND m.search_type = a_type AND m.kind = 2
            AND m.date BETWEEN first_day AND last_day
    ) AS s
    LEFT JOIN unnest(queries) AS wanted_query (id) ON wanted_query.id = s.query_id
    LEFT JOIN unnest(pages) AS wanted_page (id) ON wanted_page.id = s.page_id
    LEFT JOIN unnest(appearances) AS wanted_appearance (id) ON wanted_appearance.id = s.appearance_id
    WHERE (queries IS NULL OR wanted_query.id IS NOT NULL)
        AND (pages IS NULL OR wanted_page.id IS NOT NULL)
        AND (appearances IS NULL OR wanted_appearance.id IS NOT NULL)
        AND (countries IS NULL OR s.country = ANY (countries))
        AND (devices IS NULL OR s.device = ANY (devices))
$$;


--
-- Name: FUNCTION search_rows(a_domain uuid, a_type smallint, first_day date, last_day date, source smallint, queries bigint[], pages bigint[], appearances bigint[], countries text[], devices smallint[]); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.search_rows(a_domain uuid, a_type smallint, first_day date, last_day date, source smallint, queries bigint[], pages bigint[], appearances bigint[], countries text[], devices smallint[]) IS 'The rows of search between two days that fit all filters, from the table that knows no more than is asked for.';


--
-- Name: send_deliveries(uuid[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.send_deliveries(queued uuid[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO jobs (id, kind, payload, state, run_at, attempts, max_attempts, created_at, workspace_id)
    SELECT d.id, 'alert_delivery', jsonb_build_object('delivery_id', d.id, 'workspace_id', c.workspace_id), 'queued', now(), 0,
        11, now(), c.workspace_id
    FROM alert_deliveries AS d
    JOIN alert_channels AS c ON c.id = d.channel_id
    WHERE d.id = ANY (queued);
    IF FOUND THEN
        PERFORM pg_notify('pharos_jobs', 'alert_delivery');
    END IF;
END
$$;


--
-- Name: FUNCTION send_deliveries(queued uuid[]); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.send_deliveries(queued uuid[]) IS 'Asks for the jobs that send deliveries: kind, payload and attempts as alerting::delivery has them.';


--
-- Name: settle_charges(uuid[], timestamp with time zone[], uuid[], uuid[], uuid[], uuid[], text[], smallint[], integer[], text[], boolean); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.settle_charges(request_ids uuid[], times timestamp with time zone[], workspace_ids uuid[], credential_ids uuid[], user_ids uuid[], domain_ids uuid[], operations text[], statuses smallint[], costs integer[], caches text[], again boolean) RETURNS TABLE(workspace_id uuid, remaining bigint, refused bigint, used bigint, allowance bigint, resets_at timestamp with time zone)
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET enable_bitmapscan TO 'off'
    SET jit TO 'off'
    AS $$
#variable_conflict use_column
DECLARE
    -- The database's clock ends cycles. That of a node may be ahead by this much.
    present constant timestamptz := now() + interval '5 seconds';
    everything constant bigint := (SELECT sum(cost) FROM unnest(costs) AS cost);
    has_ended boolean;
    has_late boolean;
    is_ahead boolean;
    -- Whether people may have to be told of what is used.
    is_near boolean;
    -- By their numbers: the charges that an attempt before this one has settled, and those that can't be paid.
    known bigint[] := '{}';
    unpaid bigint[] := '{}';
    unpaid_used bigint[] := '{}';
    unpaid_allowances bigint[] := '{}';
    unpaid_until timestamptz[] := '{}';
    -- The walk through a workspace: what it has used by then, and what each of its users has.
    charge record;
    walked uuid;
    walked_used bigint;
    walkers uuid[];
    walkers_used bigint[];
    walker integer;
BEGIN
    -- Once the locks are held, nobody else changes what is read.
    PERFORM FROM credit_balances AS b WHERE b.workspace_id = ANY (workspace_ids) ORDER BY b.workspace_id FOR NO KEY UPDATE;
    SELECT bool_or(c.at >= b.cycle_end), bool_or(c.at < b.cycle_start), bool_or(b.cycle_start > present),
        bool_or(b.capped_members > 0 OR quota_crossed(b.used, b.used + everything, b.granted) IS NOT NULL)
    INTO has_ended, has_late, is_ahead, is_near
    FROM unnest(workspace_ids, times) AS c (workspace_id, at)
    JOIN credit_balances AS b ON b.workspace_id = c.workspace_id;

    IF is_ahead THEN
        PERFORM bring_back_cycles(workspace_ids, present);
        has_ended := true;
        has_late := true;
    END IF;

    IF has_ended THEN
        UPDATE credit_balances AS b SET cycle_start = next.cycle_start, cycle_end = next.cycle_end, used = 0
        FROM (
            SELECT c.workspace_id, least(max(c.at), present) AS latest
            FROM unnest(workspace_ids, times) AS c (workspace_id, at)
            GROUP BY c.workspace_id
        ) AS wanted
        JOIN workspaces AS w ON w.id = wanted.workspace_id
        CROSS JOIN LATERAL credit_cycle((w.created_at AT TIME ZONE 'UTC')::date, wanted.latest) AS next
        WHERE b.workspace_id = wanted.workspace_id AND wanted.latest >= b.cycle_end;
        has_late := true;
        is_near := true;
    END IF;

    IF again OR has_late THEN
        -- A row has the time that its charge came with, unless that was moved. Look-ups of one row each: as a join
        -- they might read a workspace's whole log.
        known := ARRAY(
            SELECT c.ordinal
            FROM unnest(request_ids, times, workspace_ids) WITH ORDINALITY
                AS c (request_id, at, workspace_id, ordinal)
            JOIN credit_balances AS b ON b.workspace_id = c.workspace_id
            WHERE (
                SELECT true FROM credit_log AS l
                WHERE l.workspace_id = c.workspace_id AND l.occurred_at = c.at AND l.request_id = c.request_id
            ) OR (
                SELECT true FROM credit_log AS l
                WHERE l.workspace_id = c.workspace_id AND l.occurred_at = b.cycle_start AND l.request_id = c.request_id
            ) OR (
                SELECT true FROM credit_log AS l
                WHERE l.workspace_id = c.workspace_id AND l.occurred_at = b.cycle_end - interval '1 microsecond'
                    AND l.request_id = c.request_id
            ) OR (
                SELECT true FROM credit_log AS l
                WHERE l.workspace_id = c.workspace_id AND l.occurred_at = b.cycle_start - interval '1 microsecond'
                    AND l.request_id = c.request_id
            )
        );
        -- A charge that comes after its cycle was closed is the next one's; one of a clock that is past the end of a
        -- cycle which goes on is of its last moment.
        times := ARRAY(
            SELECT least(greatest(c.at, b.cycle_start), b.cycle_end - interval '1 microsecond')
            FROM unnest(workspace_ids, times) WITH ORDINALITY AS c (workspace_id, at, ordinal)
            LEFT JOIN credit_balances AS b ON b.workspace_id = c.workspace_id
            ORDER BY c.ordinal
        );
    END IF;

    -- Where not everything can be paid: one by one, in the order that they came in. One that is refused does
    -- not stop a smaller one after it.
    FOR charge IN
        WITH wanted AS (
            SELECT c.workspace_id, c.user_id, sum(c.cost) AS total
            FROM unnest(workspace_ids, user_ids, costs) WITH ORDINALITY
                AS c (workspace_id, user_id, cost, ordinal)
            WHERE c.ordinal <> ALL (known)
            GROUP BY c.workspace_id, c.user_id
        ), share AS MATERIALIZED (
            SELECT wanted.*, b.used, b.cycle_end, b.granted, m.credit_cap AS cap, coalesce(u.used, 0) AS user_used
            FROM wanted
            JOIN credit_balances AS b ON b.workspace_id = wanted.workspace_id
            LEFT JOIN members AS m ON m.workspace_id = b.workspace_id AND m.user_id = wanted.user_id
            LEFT JOIN credit_member_usage AS u ON u.workspace_id = b.workspace_id
                AND u.user_id = wanted.user_id AND u.cycle_start = b.cycle_start
        ), short AS (
            SELECT workspace_id FROM share
            GROUP BY workspace_id, granted, used
            HAVING sum(total) > greatest(granted - used, 0) OR bool_or(cap IS NOT NULL AND total > greatest(cap - user_used, 0))
        )
        SELECT c.ordinal, c.cost, share.*
        FROM unnest(workspace_ids, user_ids, costs) WITH ORDINALITY AS c (workspace_id, user_id, cost, ordinal)
        JOIN share ON share.workspace_id = c.workspace_id AND share.user_id = c.user_id
        WHERE c.workspace_id IN (SELECT workspace_id FROM short) AND c.ordinal <> ALL (known)
        ORDER BY c.workspace_id, c.ordinal
    LOOP
        IF charge.workspace_id IS DISTINCT FROM walked THEN
            walked := charge.workspace_id;
            walked_used := charge.used;
            walkers := '{}';
            walkers_used := '{}';
        END IF;
        walker := array_position(walkers, charge.user_id);
        IF walker IS NULL THEN
            walkers := walkers || charge.user_id;
            walkers_used := walkers_used || charge.user_used;
            walker := cardinality(walkers);
        END IF;
        IF charge.cost > greatest(charge.granted - walked_used, 0) THEN
            unpaid := unpaid || charge.ordinal;
            unpaid_used := unpaid_used || walked_used;
            unpaid_allowances := unpaid_allowances || charge.granted;
            unpaid_until := unpaid_until || charge.cycle_end;
        ELSIF charge.cap IS NOT NULL AND charge.cost > greatest(charge.cap - walkers_used[walker], 0) THEN
            unpaid := unpaid || charge.ordinal;
            unpaid_used := unpaid_used || walkers_used[walker];
            unpaid_allowances := unpaid_allowances || charge.cap;
            unpaid_until := unpaid_until || charge.cycle_end;
        ELSE
            walked_used := walked_used + charge.cost;
            walkers_used[walker] := walkers_used[walker] + charge.cost;
        END IF;
    END LOOP;

    RETURN QUERY
    WITH settled AS MATERIALIZED (
        SELECT c.*
        FROM unnest(
            request_ids, times, workspace_ids, credential_ids, user_ids, domain_ids, operations, statuses, costs, caches
        ) WITH ORDINALITY AS c (
            request_id, occurred_at, workspace_id, credential_id, user_id, domain_id, operation, status, cost, cache,
            ordinal
        )
        WHERE c.ordinal <> ALL (known || unpaid)
    ), logged AS (
        INSERT INTO credit_log (
            workspace_id, occurred_at, request_id, credential_id, domain_id, operation, status, cost, cache
        )
        SELECT workspace_id, occurred_at, request_id, credential_id, domain_id, operation, status, cost, cache
        FROM settled
    ), spent AS MATERIALIZED (
        SELECT s.workspace_id, s.user_id, sum(s.cost) AS total
        FROM settled AS s
        GROUP BY s.workspace_id, s.user_id
    ), shared AS (
        INSERT INTO credit_member_usage AS u (workspace_id, user_id, cycle_start, used)
        -- A workspace without a balance fails here.
        SELECT s.workspace_id, s.user_id, b.cycle_start, s.total
        FROM spent AS s
        LEFT JOIN credit_balances AS b ON b.workspace_id = s.workspace_id
        ON CONFLICT (workspace_id, user_id) DO UPDATE SET
            cycle_start = excluded.cycle_start,
            used = excluded.used + CASE u.cycle_start WHEN excluded.cycle_start THEN u.used ELSE 0 END
    ), charged AS (
        UPDATE credit_balances AS b SET used = b.used + s.total
        FROM (SELECT spent.workspace_id, sum(spent.total)::bigint AS total FROM spent GROUP BY spent.workspace_id) AS s
        WHERE b.workspace_id = s.workspace_id
        RETURNING b.workspace_id, greatest(b.granted - b.used, 0) AS remaining
    )
    SELECT charged.workspace_id, charged.remaining, NULL::bigint, NULL::bigint, NULL::bigint, NULL::timestamptz
    FROM charged
    UNION ALL
    SELECT b.workspace_id, greatest(b.granted - b.used, 0), NULL, NULL, NULL, NULL
    FROM credit_balances AS b
    WHERE cardinality(known) > 0 AND b.workspace_id = ANY (workspace_ids)
        AND NOT EXISTS (SELECT FROM spent WHERE spent.workspace_id = b.workspace_id)
    UNION ALL
    SELECT NULL, NULL, * FROM unnest(unpaid, unpaid_used, unpaid_allowances, unpaid_until);

    IF is_near THEN
        PERFORM tell_of_quotas(workspace_ids, user_ids, costs, known || unpaid);
    END IF;
END
$$;


--
-- Name: FUNCTION settle_charges(request_ids uuid[], times timestamp with time zone[], workspace_ids uuid[], credential_ids uuid[], user_ids uuid[], domain_ids uuid[], operations text[], statuses smallint[], costs integer[], caches text[], again boolean); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.settle_charges(request_ids uuid[], times timestamp with time zone[], workspace_ids uuid[], credential_ids uuid[], user_ids uuid[], domain_ids uuid[], operations text[], statuses smallint[], costs integer[], caches text[], again boolean) IS 'Charges a batch, whatever is in its way. The first ten arrays are its columns. A row for each workspace that has a charge settled, with what the batch has left it; a row for each charge that was refused, by its number from 1, with what was used of which allowance until when. Charges of an attempt before this one are found again where the last argument says so.';


--
-- Name: synthetic_judgements(uuid, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.synthetic_judgements(of_domain uuid, by timestamp with time zone) RETURNS TABLE(url_id uuid, url text, profile_id text, form_factor text, run_id uuid, finished_at timestamp with time zone, budget_id uuid, actual double precision, passed boolean)
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    -- Index (url_id, profile_id, finished_at).
    SELECT u.id, newest.url, p.profile_id, newest.form_factor, newest.id, newest.finished_at, j.id, j.actual, j.passed
    FROM synthetic_urls AS u
    CROSS JOIN LATERAL jsonb_array_elements_text(u.settings -> 'profile_ids') AS p (profile_id)
    CROSS JOIN LATERAL (
        SELECT r.id, r.url, r.form_factor, r.finished_at, r.budgets
        FROM synthetic_runs AS r
        WHERE r.url_id = u.id AND r.profile_id = p.profile_id AND r.status = 'succeeded' AND r.finished_at <= by
        ORDER BY r.finished_at DESC
        LIMIT 1
    ) AS newest
    LEFT JOIN LATERAL (
        SELECT b.id, o.actual, o.passed
        FROM jsonb_to_recordset(newest.budgets) AS o (budget_id uuid, actual double precision, passed boolean)
        JOIN synthetic_budgets AS b ON b.id = o.budget_id
    ) AS j ON true
    WHERE u.domain_id = of_domain AND u.deleted_at IS NULL
$$;


--
-- Name: FUNCTION synthetic_judgements(of_domain uuid, by timestamp with time zone); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.synthetic_judgements(of_domain uuid, by timestamp with time zone) IS 'How the budgets of a domain stand: by the newest test, up to a moment, that succeeded of each tracked page on each of its profiles. A test that judged none has one row, without a budget. passed is null where the test has no such figure.';


--
-- Name: tell_of_quotas(uuid[], uuid[], integer[], bigint[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.tell_of_quotas(workspace_ids uuid[], user_ids uuid[], costs integer[], unsettled bigint[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
BEGIN
    WITH spent AS MATERIALIZED (
        SELECT c.workspace_id, c.user_id, sum(c.cost) AS total
        FROM unnest(workspace_ids, user_ids, costs) WITH ORDINALITY AS c (workspace_id, user_id, cost, ordinal)
        WHERE c.ordinal <> ALL (unsettled)
        GROUP BY c.workspace_id, c.user_id
    ), crossed AS (
        SELECT b.workspace_id, NULL::uuid AS user_id, quota_crossed(b.used - s.total, b.used, b.granted) AS percent,
            b.used, b.granted AS allowance, b.cycle_end
        FROM (SELECT spent.workspace_id, sum(spent.total)::bigint AS total FROM spent GROUP BY spent.workspace_id) AS s
        JOIN credit_balances AS b ON b.workspace_id = s.workspace_id
        UNION ALL
        SELECT b.workspace_id, u.user_id, quota_crossed(u.used - s.total, u.used, m.credit_cap), u.used, m.credit_cap,
            b.cycle_end
        FROM spent AS s
        JOIN credit_balances AS b ON b.workspace_id = s.workspace_id AND b.capped_members > 0
        JOIN members AS m ON m.workspace_id = s.workspace_id AND m.user_id = s.user_id AND m.credit_cap IS NOT NULL
        JOIN credit_member_usage AS u ON u.workspace_id = s.workspace_id AND u.user_id = s.user_id
    )
    INSERT INTO notices (
        id, workspace_id, kind, severity, module, title, body, data, resource_path, created_at
    )
    SELECT uuid_v7(), c.workspace_id, 'quota_warning', n.severity, 'credits', n.title, n.body, n.data,
        '/credits?workspace_id=' || c.workspace_id, now()
    FROM crossed AS c
    CROSS JOIN LATERAL quota_notice(c.user_id, c.percent, c.used, c.allowance, c.cycle_end) AS n
    WHERE c.percent IS NOT NULL;
END
$$;


--
-- Name: FUNCTION tell_of_quotas(workspace_ids uuid[], user_ids uuid[], costs integer[], unsettled bigint[]); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.tell_of_quotas(workspace_ids uuid[], user_ids uuid[], costs integer[], unsettled bigint[]) IS 'Tells the people of workspaces where the charges of a batch, but for those of these numbers, have used 80 or 100 % of a cycle''s credits, or of what a member''s cap allows. To be called once they are made, by who holds the balances.';


--
-- Name: tell_of_run(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.tell_of_run() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO notices (
        id, workspace_id, domain_id, kind, severity, module, title, body, data, resource_path, created_at
    )
    SELECT uuid_v7(), d.workspace_id, d.id,
        CASE
            WHEN NEW.kind <> 'report' THEN 'run_finished'
            WHEN NEW.status = 'failed' THEN 'report_failed'
            ELSE 'report_ready'
        END,
        CASE NEW.status WHEN 'succeeded' THEN 'info' ELSE 'warning' END,
        k.module,
        format(
            '%s: %s %s', d.hostname, coalesce(k.label, 'Run'),
            CASE NEW.status WHEN 'partial' THEN 'failed in part' ELSE NEW.status END
        ),
        concat_ws(
            ' ',
            format('It was asked for on %s UTC.', to_char(NEW.requested_at AT TIME ZONE 'UTC', 'YYYY-MM-DD "at" HH24:MI')),
            CASE WHEN NEW.total_items IS NOT NULL THEN
                format(
                    '%s of %s items are done, %s failed.',
                    coalesce(NEW.completed_items, 0), NEW.total_items, coalesce(NEW.failed_items, 0)
                )
            END,
            NEW.error_detail
        ),
        jsonb_build_object(
            'run_id', NEW.id,
            'kind', NEW.kind,
            'status', NEW.status,
            'total_items', NEW.total_items,
            'completed_items', NEW.completed_items,
            'failed_items', NEW.failed_items,
            'error_code', NEW.error_code
        ),
        format(k.path, d.id, NEW.id),
        now()
    FROM domains AS d
    LEFT JOIN (
        -- The path is the one by which the answer of the operation has the run polled. A run of another kind is told of, too,
        -- as one of the domain.
        VALUES
            ('uptime_check', 'uptime', 'Check', '/domains/%s/uptime/checks?run_id=%s'),
            ('analytics_report', 'analytics', 'Report', '/domains/%s/analytics/reports/runs/%s'),
            ('inspector', 'indexing', 'Inspector run', '/domains/%s/indexing/inspector/runs/%s'),
            ('gsc_report', 'gsc', 'Search report', '/domains/%s/gsc/reports/runs/%s'),
            ('crux_lookup', 'crux', 'Lookup of field data', '/domains/%s/crux/record'),
            ('gsc_sync', 'gsc', 'Import of search data', '/domains/%s/gsc/property'),
            ('robots_check', 'robots', 'Check of robots.txt', '/domains/%s/robots/checks?run_id=%s'),
            ('report', 'reports', 'Report', '/domains/%s/reports/runs/%s'),
            ('synthetic', 'synthetic', 'Lab test', '/domains/%s/synthetic/runs/%s'),
            ('sitemap_check', 'sitemap', 'Check of sitemaps', '/domains/%s/sitemap/files?run_id=%s')
    ) AS k (kind, module, label, path) ON k.kind = NEW.kind
    WHERE d.id = NEW.domain_id;
    RETURN NULL;
END
$$;


--
-- Name: FUNCTION tell_of_run(); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.tell_of_run() IS 'Tells the people of a workspace that a run is over. Of one that was canceled nobody is told.';


--
-- Name: tell_outcome_of_run(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.tell_outcome_of_run() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    regions bigint;
    worst text;
    alike bigint;
BEGIN
    SELECT c.outcome, count(*), sum(count(*)) OVER ()
    INTO worst, alike, regions
    FROM (
        SELECT DISTINCT ON (c.region) c.region, c.outcome
        FROM uptime_checks AS c
        WHERE c.run_id = (NEW.data ->> 'run_id')::uuid
        ORDER BY c.region, c.checked_at DESC, c.id DESC
    ) AS c
    GROUP BY c.outcome
    ORDER BY array_position(ARRAY['down', 'blocked', 'degraded', 'maintenance', 'up'], c.outcome)
    LIMIT 1;
    IF worst IS NULL THEN
        RETURN NEW;
    END IF;
    NEW.data := NEW.data || jsonb_build_object('outcome', worst);
    IF NEW.data ->> 'status' = 'succeeded' THEN
        NEW.title := format(
            '%s: Check finished: %s', (SELECT d.hostname FROM domains AS d WHERE d.id = NEW.domain_id),
            CASE WHEN alike = regions THEN worst ELSE format('%s in %s of %s regions', worst, alike, regions) END
        );
    END IF;
    RETURN NEW;
END
$$;


--
-- Name: FUNCTION tell_outcome_of_run(); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.tell_outcome_of_run() IS 'Whoever asked for a check is told what it found, not only that it was made: the worst outcome of its regions.';


--
-- Name: three_digits(bigint); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.three_digits(micros bigint) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
    SELECT CASE
        WHEN micros < 1000 THEN micros
        WHEN micros < 10000 THEN (micros + 5) / 10 * 10
        WHEN micros < 100000 THEN (micros + 50) / 100 * 100
        WHEN micros < 1000000 THEN (micros + 500) / 1000 * 1000
        WHEN micros < 10000000 THEN (micros + 5000) / 10000 * 10000
        WHEN micros < 100000000 THEN (micros + 50000) / 100000 * 100000
        ELSE least((micros + 500000) / 1000000 * 1000000, 2000000000)
    END::integer
$$;


--
-- Name: FUNCTION three_digits(micros bigint); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.three_digits(micros bigint) IS 'A time in microseconds, rounded to three significant digits.';


--
-- Name: uptime_hours(uuid, timestamp with time zone, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.uptime_hours(domain uuid, since timestamp with time zone, until timestamp with time zone) RETURNS TABLE(starts_at timestamp with time zone, region text, counts bigint[], least_us bigint, most_us bigint, samples bigint[], micros bigint[], response integer[], dns integer[], connect integer[], tls integer[], ttfb integer[], download integer[])
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    SELECT
        timed.starts_at,
        timed.region,
        ARRAY[
            count(*),
            count(*) FILTER (WHERE timed.outcome = 'up'),
            count(*) FILTER (WHERE timed.outcome = 'down'),
            count(*) FILTER (WHERE timed.outcome = 'degraded')
        ],
        min(timed.response),
        max(timed.response),
        ARRAY[
            count(timed.response), count(timed.dns), count(timed.connect), count(timed.tls), count(timed.ttfb),
            count(timed.download)
        ],
        ARRAY[
            coalesce(sum(timed.response), 0), coalesce(sum(timed.dns), 0), coalesce(sum(timed.connect), 0),
            coalesce(sum(timed.tls), 0), coalesce(sum(timed.ttfb), 0), coalesce(sum(timed.download), 0)
        ]::bigint[],
        array_agg(three_digits(timed.response)) FILTER (WHERE timed.response IS NOT NULL),
        array_agg(three_digits(timed.dns)) FILTER (WHERE timed.dns IS NOT NULL),
        array_agg(three_digits(timed.connect)) FILTER (WHERE timed.connect IS NOT NULL),
        array_agg(three_digits(timed.tls)) FILTER (WHERE timed.tls IS NOT NULL),
        array_agg(three_digits(timed.ttfb)) FILTER (WHERE timed.ttfb IS NOT NULL),
        array_agg(three_digits(timed.download)) FILTER (WHERE timed.download IS NOT NULL)
    FROM (
        SELECT
            date_trunc('hour', c.checked_at, 'UTC') AS starts_at,
            c.region,
            c.outcome,
            CASE WHEN c.outcome IN ('up', 'degraded') THEN round(c.response_ms * 1000)::bigint END AS response,
            CASE WHEN c.outcome IN ('up', 'degraded') THEN round(c.dns_ms * 1000)::bigint END AS dns,
            CASE WHEN c.outcome IN ('up', 'degraded') THEN round(c.connect_ms * 1000)::bigint END AS connect,
            CASE WHEN c.outcome IN ('up', 'degraded') THEN round(c.tls_ms * 1000)::bigint END AS tls,
            CASE WHEN c.outcome IN ('up', 'degraded') THEN round(c.ttfb_ms * 1000)::bigint END AS ttfb,
            CASE WHEN c.outcome IN ('up', 'degraded') THEN round(c.download_ms * 1000)::bigint END AS download
        FROM uptime_checks AS c
        WHERE c.domain_id = domain AND c.checked_at >= since AND c.checked_at < until
        OFFSET 0 -- Worked out once for each check, not wherever it is used.
    ) AS timed
    GROUP BY 1, 2
$$;


--
-- Name: FUNCTION uptime_hours(domain uuid, since timestamp with time zone, until timestamp with time zone); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.uptime_hours(domain uuid, since timestamp with time zone, until timestamp with time zone) IS 'What the checks of a domain between two moments come to, by hour (UTC) and region: the columns of uptime_rollups, and each time of the checks that passed in microseconds, rounded to three significant digits, in no order.';


--
-- Name: uuid_v7(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.uuid_v7() RETURNS uuid
    LANGUAGE sql PARALLEL SAFE
    AS $$
    -- A random UUID of version 4 (0100), with the milliseconds in its first 48 bits, and version 7 (0111).
    SELECT encode(
        set_bit(
            set_bit(
                overlay(
                    uuid_send(gen_random_uuid())
                    PLACING substring(int8send(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3)
                    FROM 1 FOR 6
                ),
                52, 1
            ),
            53, 1
        ),
        'hex'
    )::uuid
$$;


--
-- Name: FUNCTION uuid_v7(); Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON FUNCTION public.uuid_v7() IS 'A UUID that sorts by the time that it was made at (RFC 9562, version 7). PostgreSQL has one of its own from 18 on.';


SET default_table_access_method = heap;

--
-- Name: __diesel_schema_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.__diesel_schema_migrations (
    version character varying(50) NOT NULL,
    run_on timestamp without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);


--
-- Name: alert_channels; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.alert_channels (
    id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    domain_id uuid,
    name text NOT NULL,
    target jsonb NOT NULL,
    min_severity text NOT NULL,
    modules text[],
    quiet_hours text,
    off_reason text,
    failing_since timestamp with time zone,
    failure_told_at timestamp with time zone,
    next_send_at timestamp with time zone,
    unsubscribe_token uuid DEFAULT gen_random_uuid() NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT alert_channels_min_severity_check CHECK ((min_severity = ANY (ARRAY['info'::text, 'warning'::text, 'critical'::text]))),
    CONSTRAINT alert_channels_modules_check CHECK ((cardinality(modules) > 0)),
    CONSTRAINT alert_channels_name_check CHECK ((name <> ''::text)),
    CONSTRAINT alert_channels_off_reason_check CHECK ((off_reason <> ''::text))
);


--
-- Name: TABLE alert_channels; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.alert_channels IS 'Where notifications of a workspace are delivered: mail, webhooks, chat services.';


--
-- Name: COLUMN alert_channels.domain_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.alert_channels.domain_id IS 'Only what is about this domain is delivered; null: all of the workspace.';


--
-- Name: COLUMN alert_channels.target; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.alert_channels.target IS 'The kind of the channel, its address, and the secrets that it takes.';


--
-- Name: COLUMN alert_channels.modules; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.alert_channels.modules IS 'Only what is about these modules is delivered; null: all.';


--
-- Name: COLUMN alert_channels.quiet_hours; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.alert_channels.quiet_hours IS 'When only what is critical is delivered, such as 22:00-07:00 Europe/Berlin. Null: never.';


--
-- Name: COLUMN alert_channels.off_reason; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.alert_channels.off_reason IS 'Why it is switched off, for people. Null: it is on.';


--
-- Name: COLUMN alert_channels.failing_since; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.alert_channels.failing_since IS 'The first of the failures since the last success. Null: none.';


--
-- Name: COLUMN alert_channels.failure_told_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.alert_channels.failure_told_at IS 'When a notification told of that.';


--
-- Name: COLUMN alert_channels.next_send_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.alert_channels.next_send_at IS 'Deliveries wait until then: mails gather, and a receiver that failed is left alone.';


--
-- Name: COLUMN alert_channels.unsubscribe_token; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.alert_channels.unsubscribe_token IS 'Random; stands in the link by which a reader of its mails switches it off.';


--
-- Name: alert_deliveries; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.alert_deliveries (
    id uuid NOT NULL,
    channel_id uuid NOT NULL,
    notification_id uuid,
    event text NOT NULL,
    state text NOT NULL,
    taken_until timestamp with time zone,
    attempts integer DEFAULT 0 NOT NULL,
    last_error text,
    created_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT alert_deliveries_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT alert_deliveries_check CHECK (((event = 'test'::text) = (notification_id IS NULL))),
    CONSTRAINT alert_deliveries_check1 CHECK (((state = 'queued'::text) = (ended_at IS NULL))),
    CONSTRAINT alert_deliveries_event_check CHECK ((event = ANY (ARRAY['raised'::text, 'resolved'::text, 'test'::text]))),
    CONSTRAINT alert_deliveries_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'sent'::text, 'failed'::text, 'dropped'::text])))
)
WITH (fillfactor='70');


--
-- Name: TABLE alert_deliveries; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.alert_deliveries IS 'Each notification on its way to each channel. The job of the same id sends it. Kept as long as its notification.';


--
-- Name: COLUMN alert_deliveries.notification_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.alert_deliveries.notification_id IS 'Null: a test.';


--
-- Name: COLUMN alert_deliveries.state; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.alert_deliveries.state IS 'Dropped: there was no longer anything to send, or nowhere to send it to.';


--
-- Name: COLUMN alert_deliveries.taken_until; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.alert_deliveries.taken_until IS 'Until then whoever took it sends it, alone or with others in one mail.';


--
-- Name: alert_evaluations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.alert_evaluations (
    rule_id uuid NOT NULL,
    domain_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    next_evaluation_at timestamp with time zone,
    leased_until timestamp with time zone,
    state text DEFAULT 'ok'::text NOT NULL,
    last_value double precision,
    last_evaluated_at timestamp with time zone,
    last_fired_at timestamp with time zone,
    is_open boolean DEFAULT false NOT NULL,
    CONSTRAINT alert_evaluations_state_check CHECK ((state = ANY (ARRAY['ok'::text, 'firing'::text, 'no_data'::text])))
)
WITH (fillfactor='70');


--
-- Name: TABLE alert_evaluations; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.alert_evaluations IS 'How each rule stands, and when it is evaluated next. Apart from the rules, since every evaluation writes it.';


--
-- Name: COLUMN alert_evaluations.next_evaluation_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.alert_evaluations.next_evaluation_at IS 'Null: never, since the rule is disabled or its domain deleted.';


--
-- Name: COLUMN alert_evaluations.leased_until; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.alert_evaluations.leased_until IS 'Until then one worker alone has it. Null: nobody has.';


--
-- Name: COLUMN alert_evaluations.is_open; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.alert_evaluations.is_open IS 'Whether alerts of it are open.';


--
-- Name: alert_history; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.alert_history (
    id uuid NOT NULL,
    rule_id uuid,
    domain_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    notification_id uuid NOT NULL,
    module text NOT NULL,
    metric text NOT NULL,
    metric_label text NOT NULL,
    unit text NOT NULL,
    operator text NOT NULL,
    threshold double precision NOT NULL,
    comparison_window text,
    evaluation_window text NOT NULL,
    url text,
    form_factor text,
    search_type text,
    value double precision NOT NULL,
    baseline_value double precision,
    change_pct double precision,
    severity text NOT NULL,
    title text NOT NULL,
    message text NOT NULL,
    context jsonb NOT NULL,
    fired_at timestamp with time zone NOT NULL,
    resolved_at timestamp with time zone,
    end_reason text,
    CONSTRAINT alert_history_check CHECK ((fired_at <= resolved_at)),
    CONSTRAINT alert_history_check1 CHECK (((end_reason IS NULL) = (resolved_at IS NULL))),
    CONSTRAINT alert_history_end_reason_check CHECK ((end_reason = ANY (ARRAY['over'::text, 'monitor_paused'::text, 'module_off'::text, 'rule_changed'::text, 'rule_disabled'::text, 'rule_deleted'::text, 'domain_deleted'::text])))
);


--
-- Name: TABLE alert_history; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.alert_history IS 'Every alert: a rule that fired, with the figures of that moment. Kept 12 months.';


--
-- Name: COLUMN alert_history.rule_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.alert_history.rule_id IS 'Null: the rule was deleted.';


--
-- Name: COLUMN alert_history.resolved_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.alert_history.resolved_at IS 'Null: it is open.';


--
-- Name: COLUMN alert_history.end_reason; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.alert_history.end_reason IS 'Why it is over. Null: it is open.';


--
-- Name: alert_pending_events; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.alert_pending_events (
    number bigint NOT NULL,
    rule_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    context jsonb NOT NULL
);


--
-- Name: TABLE alert_pending_events; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.alert_pending_events IS 'Events that a rule has not counted yet. The evaluation that counts them deletes them, so none is lost and none counts twice.';


--
-- Name: COLUMN alert_pending_events.rule_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.alert_pending_events.rule_id IS 'No foreign key: whoever records an event waits for no change of a rule. Upkeep deletes those of rules that are gone.';


--
-- Name: alert_pending_events_number_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.alert_pending_events ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.alert_pending_events_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: alert_rules; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.alert_rules (
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    name text,
    module text NOT NULL,
    metric text NOT NULL,
    operator text NOT NULL,
    threshold double precision NOT NULL,
    comparison_window text,
    evaluation_window text NOT NULL,
    min_sample integer,
    url text,
    form_factor text,
    search_type text,
    severity text NOT NULL,
    enabled boolean NOT NULL,
    cooldown_minutes integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    created_by uuid,
    CONSTRAINT alert_rules_comparison_window_check CHECK ((comparison_window = ANY (ARRAY['previous_day'::text, 'same_day_last_week'::text, 'previous_7_days'::text, 'previous_28_days'::text]))),
    CONSTRAINT alert_rules_cooldown_minutes_check CHECK ((cooldown_minutes >= 0)),
    CONSTRAINT alert_rules_evaluation_window_check CHECK ((evaluation_window = ANY (ARRAY['latest'::text, '1h'::text, '24h'::text, '7d'::text, '28d'::text]))),
    CONSTRAINT alert_rules_form_factor_check CHECK ((form_factor = ANY (ARRAY['mobile'::text, 'desktop'::text]))),
    CONSTRAINT alert_rules_metric_check CHECK ((metric <> ''::text)),
    CONSTRAINT alert_rules_min_sample_check CHECK ((min_sample > 0)),
    CONSTRAINT alert_rules_module_check CHECK ((module <> ''::text)),
    CONSTRAINT alert_rules_operator_check CHECK ((operator = ANY (ARRAY['gt'::text, 'gte'::text, 'lt'::text, 'lte'::text, 'eq'::text, 'pct_decrease'::text, 'pct_increase'::text, 'anomaly'::text]))),
    CONSTRAINT alert_rules_search_type_check CHECK ((search_type = ANY (ARRAY['web'::text, 'image'::text, 'video'::text, 'news'::text, 'discover'::text, 'google_news'::text]))),
    CONSTRAINT alert_rules_severity_check CHECK ((severity = ANY (ARRAY['info'::text, 'warning'::text, 'critical'::text]))),
    CONSTRAINT alert_rules_threshold_check CHECK (((threshold >= ('-1000000000000000'::numeric)::double precision) AND (threshold <= ('1000000000000000'::numeric)::double precision)))
);


--
-- Name: TABLE alert_rules; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.alert_rules IS 'The rules of domains: which metric must not do what.';


--
-- Name: COLUMN alert_rules.workspace_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.alert_rules.workspace_id IS 'The domain''s, which never changes.';


--
-- Name: COLUMN alert_rules.module; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.alert_rules.module IS 'Whose metric it is. Modules come with the versions of Pharos, so no CHECK on which.';


--
-- Name: COLUMN alert_rules.threshold; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.alert_rules.threshold IS 'A value, a percentage or deviations, by the operator.';


--
-- Name: COLUMN alert_rules.created_by; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.alert_rules.created_by IS 'Null: Pharos itself.';


--
-- Name: alert_wakes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.alert_wakes (
    number bigint NOT NULL,
    domain_id uuid NOT NULL
);


--
-- Name: TABLE alert_wakes; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.alert_wakes IS 'Domains whose rules are to be evaluated at once. Whoever claims rules takes them away.';


--
-- Name: alert_wakes_number_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.alert_wakes ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.alert_wakes_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: analytics_actions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.analytics_actions (
    domain_id uuid NOT NULL,
    kind smallint NOT NULL,
    day date NOT NULL,
    value integer NOT NULL,
    page integer NOT NULL,
    hits bigint NOT NULL,
    visitors bigint NOT NULL,
    sessions bigint NOT NULL,
    exits bigint NOT NULL,
    results integer,
    last_at timestamp with time zone NOT NULL,
    CONSTRAINT analytics_actions_kind_check CHECK (((kind >= 1) AND (kind <= 4)))
);


--
-- Name: TABLE analytics_actions; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.analytics_actions IS 'The actions in the sessions of each UTC day, by event, link, download or search term.';


--
-- Name: COLUMN analytics_actions.kind; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_actions.kind IS 'As in analytics_hits.';


--
-- Name: COLUMN analytics_actions.value; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_actions.value IS 'The event, link or term, of analytics_values.';


--
-- Name: COLUMN analytics_actions.page; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_actions.page IS '0: on all pages; else, of links and downloads, on this one.';


--
-- Name: COLUMN analytics_actions.exits; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_actions.exits IS 'How often no page was viewed after it in its session.';


--
-- Name: COLUMN analytics_actions.results; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_actions.results IS 'How many results the last search had that said so; null: none did.';


--
-- Name: COLUMN analytics_actions.last_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_actions.last_at IS 'When it was done last.';


--
-- Name: analytics_beacons; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.analytics_beacons (
    domain_id uuid NOT NULL,
    beacon_id uuid NOT NULL,
    stored_at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: TABLE analytics_beacons; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.analytics_beacons IS 'The beacons of the last 48 hours, so that one which is sent again counts once.';


--
-- Name: analytics_commerce; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.analytics_commerce (
    domain_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    hit_id bigint NOT NULL,
    session_id bigint NOT NULL,
    visitor_id bigint NOT NULL,
    step smallint NOT NULL,
    value_cents bigint,
    currency text NOT NULL,
    is_repeated boolean NOT NULL,
    CONSTRAINT analytics_commerce_step_check CHECK (((step >= 0) AND (step <= 4))),
    CONSTRAINT analytics_commerce_value_cents_check CHECK ((value_cents >= 0))
)
PARTITION BY RANGE (at);


--
-- Name: TABLE analytics_commerce; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.analytics_commerce IS 'Events of ecommerce, each beside its hit.';


--
-- Name: COLUMN analytics_commerce.step; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_commerce.step IS '0: viewed, 1: added to a cart, 2: checkout, 3: purchase, 4: refund.';


--
-- Name: COLUMN analytics_commerce.value_cents; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_commerce.value_cents IS 'In hundredths; of a refund that says nothing, that of its order. Null: not known.';


--
-- Name: COLUMN analytics_commerce.currency; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_commerce.currency IS 'ISO 4217; empty: the site''s own.';


--
-- Name: COLUMN analytics_commerce.is_repeated; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_commerce.is_repeated IS 'A purchase whose order id was there before: it is no order.';


--
-- Name: analytics_commerce_default; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.analytics_commerce_default (
    domain_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    hit_id bigint NOT NULL,
    session_id bigint NOT NULL,
    visitor_id bigint NOT NULL,
    step smallint NOT NULL,
    value_cents bigint,
    currency text NOT NULL,
    is_repeated boolean NOT NULL,
    CONSTRAINT analytics_commerce_step_check CHECK (((step >= 0) AND (step <= 4))),
    CONSTRAINT analytics_commerce_value_cents_check CHECK ((value_cents >= 0))
);


--
-- Name: TABLE analytics_commerce_default; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.analytics_commerce_default IS 'Ecommerce of months that have no partition: a safety net, normally empty.';


--
-- Name: analytics_daily; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.analytics_daily (
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
    second integer DEFAULT 0 NOT NULL
);


--
-- Name: TABLE analytics_daily; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.analytics_daily IS 'The sums of the sessions of each UTC day, in all and by the values of a dimension.';


--
-- Name: COLUMN analytics_daily.dimension; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_daily.dimension IS '-1: all sessions of the day, with 0 for the value; -2: channels and -3: device classes, as sessions number them; -4: sources with their mediums; else as in analytics_values.';


--
-- Name: COLUMN analytics_daily.value; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_daily.value IS 'The number in analytics_values; 0: the sessions that have none.';


--
-- Name: COLUMN analytics_daily.second; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_daily.second IS 'The value that it is one within: the medium of a source, the referrer of its path, the country of a region, the region (or country) of a city, the browser or system of a version. 0: nothing, or unknown.';


--
-- Name: analytics_dimension_orders; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.analytics_dimension_orders (
    domain_id uuid NOT NULL,
    dimension smallint NOT NULL,
    day date NOT NULL,
    value integer NOT NULL,
    second integer NOT NULL,
    currency text NOT NULL,
    orders bigint NOT NULL,
    valued_orders bigint NOT NULL,
    revenue_cents bigint NOT NULL
);


--
-- Name: TABLE analytics_dimension_orders; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.analytics_dimension_orders IS 'The sums of the orders and refunds of each UTC day by the values of a dimension of their sessions, and by currency.';


--
-- Name: COLUMN analytics_dimension_orders.dimension; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_dimension_orders.dimension IS 'As in analytics_daily; -5: channels by the last touch that was not direct.';


--
-- Name: COLUMN analytics_dimension_orders.second; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_dimension_orders.second IS 'As in analytics_daily.';


--
-- Name: COLUMN analytics_dimension_orders.currency; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_dimension_orders.currency IS 'ISO 4217; empty: the site''s own.';


--
-- Name: COLUMN analytics_dimension_orders.valued_orders; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_dimension_orders.valued_orders IS 'The orders that said what they are worth.';


--
-- Name: COLUMN analytics_dimension_orders.revenue_cents; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_dimension_orders.revenue_cents IS 'Orders less refunds.';


--
-- Name: analytics_engagements; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.analytics_engagements (
    domain_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    id bigint NOT NULL,
    session_id bigint,
    load_id bigint NOT NULL,
    page integer NOT NULL,
    visible_ms integer NOT NULL,
    scroll_pct smallint,
    CONSTRAINT analytics_engagements_scroll_pct_check CHECK (((scroll_pct >= 0) AND (scroll_pct <= 100))),
    CONSTRAINT analytics_engagements_visible_ms_check CHECK ((visible_ms >= 0))
)
PARTITION BY RANGE (at);


--
-- Name: TABLE analytics_engagements; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.analytics_engagements IS 'How long pages were visible and in use, and how far down they were seen.';


--
-- Name: COLUMN analytics_engagements.session_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_engagements.session_id IS 'Null: the visitor has no session that day.';


--
-- Name: COLUMN analytics_engagements.load_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_engagements.load_id IS 'The page view that it is of: what it says adds up.';


--
-- Name: analytics_engagements_default; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.analytics_engagements_default (
    domain_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    id bigint NOT NULL,
    session_id bigint,
    load_id bigint NOT NULL,
    page integer NOT NULL,
    visible_ms integer NOT NULL,
    scroll_pct smallint,
    CONSTRAINT analytics_engagements_scroll_pct_check CHECK (((scroll_pct >= 0) AND (scroll_pct <= 100))),
    CONSTRAINT analytics_engagements_visible_ms_check CHECK ((visible_ms >= 0))
);


--
-- Name: TABLE analytics_engagements_default; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.analytics_engagements_default IS 'Engagement of months that have no partition: a safety net, normally empty.';


--
-- Name: analytics_evaluations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.analytics_evaluations (
    id uuid NOT NULL,
    experiment_id uuid NOT NULL,
    status text NOT NULL,
    method text NOT NULL,
    metric text NOT NULL,
    requested_at timestamp with time zone NOT NULL,
    completed_at timestamp with time zone,
    progress_pct double precision NOT NULL,
    job_id uuid,
    outcome jsonb NOT NULL,
    CONSTRAINT analytics_evaluations_check CHECK (((status = 'completed'::text) = (completed_at IS NOT NULL))),
    CONSTRAINT analytics_evaluations_check1 CHECK (((status <> 'pending'::text) OR (job_id IS NOT NULL))),
    CONSTRAINT analytics_evaluations_progress_pct_check CHECK (((progress_pct >= (0)::double precision) AND (progress_pct <= (100)::double precision))),
    CONSTRAINT analytics_evaluations_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'completed'::text])))
);


--
-- Name: TABLE analytics_evaluations; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.analytics_evaluations IS 'The findings of evaluations of experiments: the newest few of each.';


--
-- Name: COLUMN analytics_evaluations.job_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_evaluations.job_id IS 'The job that works it out. One that is pending has failed if its job is dead, or gone; so this refers to no row.';


--
-- Name: COLUMN analytics_evaluations.outcome; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_evaluations.outcome IS 'Its findings, as the crate has them; of a pending one nothing yet.';


--
-- Name: analytics_experiments; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.analytics_experiments (
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    name text NOT NULL,
    hypothesis text,
    status text NOT NULL,
    method text NOT NULL,
    metric text NOT NULL,
    control_urls text[] NOT NULL,
    variant_urls text[] NOT NULL,
    pre_start date,
    pre_end date NOT NULL,
    post_start date NOT NULL,
    post_end date,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    created_by uuid,
    CONSTRAINT analytics_experiments_check CHECK ((pre_end < post_start)),
    CONSTRAINT analytics_experiments_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'running'::text, 'completed'::text, 'archived'::text])))
);


--
-- Name: TABLE analytics_experiments; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.analytics_experiments IS 'Experiments: pages that changed, compared before and after.';


--
-- Name: COLUMN analytics_experiments.status; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_experiments.status IS 'As it was put. That one which runs is ready follows from the days.';


--
-- Name: COLUMN analytics_experiments.pre_start; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_experiments.pre_start IS 'Null: 55 days before pre_end.';


--
-- Name: COLUMN analytics_experiments.post_end; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_experiments.post_end IS 'Null: as far as there is data.';


--
-- Name: analytics_hits; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.analytics_hits (
    domain_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    id bigint NOT NULL,
    session_id bigint NOT NULL,
    visitor_id bigint NOT NULL,
    kind smallint NOT NULL,
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
    CONSTRAINT analytics_hits_kind_check CHECK (((kind >= 0) AND (kind <= 4)))
)
PARTITION BY RANGE (at);


--
-- Name: TABLE analytics_hits; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.analytics_hits IS 'The hits of sessions, with those dimensions of its session that reads filter by, so that they need no join.';


--
-- Name: COLUMN analytics_hits.kind; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_hits.kind IS '0: a page was viewed, 1: an event of the site''s own, 2: a link to another host, 3: a download, 4: a search of the site.';


--
-- Name: COLUMN analytics_hits.event; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_hits.event IS 'The name of an event; null for all else.';


--
-- Name: COLUMN analytics_hits.link; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_hits.link IS 'Where a link or download leads; null for all else.';


--
-- Name: COLUMN analytics_hits.term; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_hits.term IS 'The term that was searched for; null for all else, and where terms are not stored.';


--
-- Name: COLUMN analytics_hits.results; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_hits.results IS 'How many results a search had; null where the page did not say.';


--
-- Name: analytics_hits_default; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.analytics_hits_default (
    domain_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    id bigint NOT NULL,
    session_id bigint NOT NULL,
    visitor_id bigint NOT NULL,
    kind smallint NOT NULL,
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
    CONSTRAINT analytics_hits_kind_check CHECK (((kind >= 0) AND (kind <= 4)))
);


--
-- Name: TABLE analytics_hits_default; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.analytics_hits_default IS 'Hits of months that have no partition: a safety net, normally empty.';


--
-- Name: analytics_items; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.analytics_items (
    domain_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    hit_id bigint NOT NULL,
    place smallint NOT NULL,
    session_id bigint NOT NULL,
    step smallint NOT NULL,
    product integer NOT NULL,
    name integer,
    category integer,
    brand integer,
    variant integer,
    price_cents bigint,
    quantity integer NOT NULL,
    CONSTRAINT analytics_items_quantity_check CHECK ((quantity >= 0)),
    CONSTRAINT analytics_items_step_check CHECK (((step >= 0) AND (step <= 4)))
)
PARTITION BY RANGE (at);


--
-- Name: TABLE analytics_items; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.analytics_items IS 'The products of events of ecommerce, a row each.';


--
-- Name: COLUMN analytics_items.place; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_items.place IS 'Where it stands among those of its event.';


--
-- Name: COLUMN analytics_items.step; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_items.step IS 'As in analytics_commerce.';


--
-- Name: analytics_items_default; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.analytics_items_default (
    domain_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    hit_id bigint NOT NULL,
    place smallint NOT NULL,
    session_id bigint NOT NULL,
    step smallint NOT NULL,
    product integer NOT NULL,
    name integer,
    category integer,
    brand integer,
    variant integer,
    price_cents bigint,
    quantity integer NOT NULL,
    CONSTRAINT analytics_items_quantity_check CHECK ((quantity >= 0)),
    CONSTRAINT analytics_items_step_check CHECK (((step >= 0) AND (step <= 4)))
);


--
-- Name: TABLE analytics_items_default; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.analytics_items_default IS 'Products of months that have no partition: a safety net, normally empty.';


--
-- Name: analytics_new_values; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.analytics_new_values (
    domain_id uuid NOT NULL,
    dimension smallint NOT NULL,
    day date NOT NULL,
    made integer NOT NULL
);


--
-- Name: TABLE analytics_new_values; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.analytics_new_values IS 'How many values a domain has added to the dictionary on a UTC day: beyond a bound they are all (other).';


--
-- Name: analytics_orders; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.analytics_orders (
    domain_id uuid NOT NULL,
    order_id text NOT NULL,
    ordered_at timestamp with time zone NOT NULL,
    hit_id bigint NOT NULL,
    value_cents bigint,
    currency text NOT NULL,
    CONSTRAINT analytics_orders_order_id_check CHECK ((octet_length(order_id) <= 500))
);


--
-- Name: TABLE analytics_orders; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.analytics_orders IS 'Orders that have an id: a second one of the same id is no order.';


--
-- Name: COLUMN analytics_orders.currency; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_orders.currency IS 'ISO 4217; empty: the site''s own.';


--
-- Name: analytics_pages; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.analytics_pages (
    domain_id uuid NOT NULL,
    grain smallint NOT NULL,
    part smallint NOT NULL,
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
    CONSTRAINT analytics_pages_grain_check CHECK ((grain = ANY (ARRAY[0, 1]))),
    CONSTRAINT analytics_pages_part_check CHECK (((part >= 0) AND (part <= 2)))
);


--
-- Name: TABLE analytics_pages; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.analytics_pages IS 'The sums of the views of each page, by UTC day and calendar month.';


--
-- Name: COLUMN analytics_pages.grain; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_pages.grain IS '0: a day, 1: a month, all of whose days are rolled up.';


--
-- Name: COLUMN analytics_pages.part; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_pages.part IS 'Which sessions: 0: all, 1: those that entered at the page, 2: those that left at it.';


--
-- Name: COLUMN analytics_pages.bounces; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_pages.bounces IS 'The bounces of the sessions that entered there.';


--
-- Name: COLUMN analytics_pages.engaged_views; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_pages.engaged_views IS 'The views whose time was measured.';


--
-- Name: COLUMN analytics_pages.scroll_pct; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_pages.scroll_pct IS 'The sum of the deepest scrolls of views.';


--
-- Name: COLUMN analytics_pages.scrolled_views; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_pages.scrolled_views IS 'The views whose scroll was measured.';


--
-- Name: analytics_progress; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.analytics_progress (
    domain_id uuid NOT NULL,
    first_at timestamp with time zone NOT NULL,
    last_at timestamp with time zone NOT NULL,
    commerce_at timestamp with time zone,
    rolled_until timestamp with time zone
)
WITH (fillfactor='70');


--
-- Name: TABLE analytics_progress; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.analytics_progress IS 'The days that were received of a domain, and how far they are rolled up. Its row is locked by whoever rolls up, and by whoever stores something of an earlier day.';


--
-- Name: COLUMN analytics_progress.first_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_progress.first_at IS 'The first moment of which something was received.';


--
-- Name: COLUMN analytics_progress.last_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_progress.last_at IS 'The last such moment, to within a minute.';


--
-- Name: COLUMN analytics_progress.commerce_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_progress.commerce_at IS 'When ecommerce was first recorded; null: never.';


--
-- Name: COLUMN analytics_progress.rolled_until; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_progress.rolled_until IS 'The beginning of a UTC day: everything before it is rolled up, nothing after it is read from roll-ups. Null: nothing is.';


--
-- Name: analytics_properties; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.analytics_properties (
    domain_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    hit_id bigint NOT NULL,
    place smallint NOT NULL,
    session_id bigint NOT NULL,
    visitor_id bigint NOT NULL,
    event integer NOT NULL,
    property integer NOT NULL,
    text integer,
    number double precision,
    flag boolean,
    CONSTRAINT analytics_properties_check CHECK ((num_nonnulls(text, number, flag) = 1))
)
PARTITION BY RANGE (at);


--
-- Name: TABLE analytics_properties; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.analytics_properties IS 'The properties of events, a row each.';


--
-- Name: COLUMN analytics_properties.place; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_properties.place IS 'Where it stands among those of its event.';


--
-- Name: analytics_properties_default; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.analytics_properties_default (
    domain_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    hit_id bigint NOT NULL,
    place smallint NOT NULL,
    session_id bigint NOT NULL,
    visitor_id bigint NOT NULL,
    event integer NOT NULL,
    property integer NOT NULL,
    text integer,
    number double precision,
    flag boolean,
    CONSTRAINT analytics_properties_check CHECK ((num_nonnulls(text, number, flag) = 1))
);


--
-- Name: TABLE analytics_properties_default; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.analytics_properties_default IS 'Properties of months that have no partition: a safety net, normally empty.';


--
-- Name: analytics_revenue; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.analytics_revenue (
    domain_id uuid NOT NULL,
    day date NOT NULL,
    currency text NOT NULL,
    orders bigint NOT NULL,
    revenue_cents bigint NOT NULL,
    refunds bigint NOT NULL,
    refunded_cents bigint NOT NULL,
    views bigint DEFAULT 0 NOT NULL,
    add_to_carts bigint DEFAULT 0 NOT NULL,
    checkouts bigint DEFAULT 0 NOT NULL,
    valued_orders bigint DEFAULT 0 NOT NULL,
    repeated_orders bigint DEFAULT 0 NOT NULL,
    items_sold bigint
);


--
-- Name: TABLE analytics_revenue; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.analytics_revenue IS 'The sums of the orders and refunds of each UTC day, by currency.';


--
-- Name: COLUMN analytics_revenue.currency; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_revenue.currency IS 'ISO 4217; empty: the site''s own.';


--
-- Name: COLUMN analytics_revenue.valued_orders; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_revenue.valued_orders IS 'The orders that said what they are worth.';


--
-- Name: COLUMN analytics_revenue.repeated_orders; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_revenue.repeated_orders IS 'Purchases whose order id was there before.';


--
-- Name: COLUMN analytics_revenue.items_sold; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_revenue.items_sold IS 'Null: no order said what it consists of.';


--
-- Name: analytics_sessions_default; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.analytics_sessions_default (
    domain_id uuid NOT NULL,
    started_at timestamp with time zone NOT NULL,
    id bigint NOT NULL,
    visitor_id bigint NOT NULL,
    ended_at timestamp with time zone NOT NULL,
    pageviews integer NOT NULL,
    events integer NOT NULL,
    clicks integer NOT NULL,
    entry_page integer,
    entry_at timestamp with time zone,
    exit_page integer,
    exit_at timestamp with time zone,
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
    screen integer
);


--
-- Name: TABLE analytics_sessions_default; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.analytics_sessions_default IS 'Sessions of months that have no partition: a safety net, normally empty.';


--
-- Name: analytics_sites; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.analytics_sites (
    domain_id uuid NOT NULL,
    settings jsonb NOT NULL,
    enabled boolean GENERATED ALWAYS AS (((settings -> 'enabled'::text))::boolean) STORED NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    updated_by uuid
);


--
-- Name: TABLE analytics_sites; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.analytics_sites IS 'The settings of web analytics of a domain.';


--
-- Name: COLUMN analytics_sites.settings; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_sites.settings IS 'All settings. Networks that are left out are among them, and are never shown.';


--
-- Name: COLUMN analytics_sites.enabled; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_sites.enabled IS 'Read out of the settings.';


--
-- Name: COLUMN analytics_sites.updated_by; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_sites.updated_by IS 'Who changed the settings last; null: Pharos itself.';


--
-- Name: analytics_titles; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.analytics_titles (
    domain_id uuid NOT NULL,
    page integer NOT NULL,
    title text NOT NULL
);


--
-- Name: TABLE analytics_titles; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.analytics_titles IS 'The last titles of pages, where the site stores them.';


--
-- Name: analytics_values; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.analytics_values (
    id integer NOT NULL,
    domain_id uuid NOT NULL,
    dimension smallint NOT NULL,
    value text NOT NULL,
    CONSTRAINT analytics_values_value_check CHECK ((octet_length(value) <= 2000))
);


--
-- Name: TABLE analytics_values; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.analytics_values IS 'The dictionary: what stands for a text in sessions, hits and roll-ups. Rows never change.';


--
-- Name: COLUMN analytics_values.dimension; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_values.dimension IS 'The dimension that it is a value of, as the crate numbers them.';


--
-- Name: analytics_values_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.analytics_values ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.analytics_values_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: analytics_visitors; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.analytics_visitors (
    domain_id uuid NOT NULL,
    visitor_id bigint NOT NULL,
    visits bigint[] DEFAULT '{}'::bigint[] NOT NULL,
    touched_at timestamp with time zone DEFAULT now() NOT NULL
)
WITH (fillfactor='70');


--
-- Name: TABLE analytics_visitors; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.analytics_visitors IS 'Visitors whose sessions may still change. Whoever stores a beacon locks its visitor''s row, so that two nodes never make two sessions of one.';


--
-- Name: COLUMN analytics_visitors.visits; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.analytics_visitors.visits IS 'Their sessions in order, three numbers each: id, beginning and end in microseconds since 1970.';


--
-- Name: api_key_secrets; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.api_key_secrets (
    digest bytea NOT NULL,
    key_id uuid NOT NULL,
    shown text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    valid_until timestamp with time zone,
    CONSTRAINT api_key_secrets_digest_check CHECK ((octet_length(digest) = 32)),
    CONSTRAINT api_key_secrets_shown_check CHECK ((length(shown) <= 16))
);


--
-- Name: TABLE api_key_secrets; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.api_key_secrets IS 'The secrets of keys: the newest, and those that a rotation left their grace.';


--
-- Name: COLUMN api_key_secrets.digest; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.api_key_secrets.digest IS 'SHA-256 of the secret, which itself is stored nowhere.';


--
-- Name: COLUMN api_key_secrets.shown; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.api_key_secrets.shown IS 'The first 16 characters, for lists.';


--
-- Name: COLUMN api_key_secrets.valid_until; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.api_key_secrets.valid_until IS 'The end of its grace; null: the present secret.';


--
-- Name: api_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.api_keys (
    id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    created_by uuid NOT NULL,
    name text NOT NULL,
    scopes text[] NOT NULL,
    allowlist text[],
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    last_used_at timestamp with time zone,
    CONSTRAINT api_keys_allowlist_check CHECK ((array_position(allowlist, NULL::text) IS NULL)),
    CONSTRAINT api_keys_name_check CHECK ((name <> ''::text)),
    CONSTRAINT api_keys_scopes_check CHECK (((cardinality(scopes) > 0) AND (array_position(scopes, NULL::text) IS NULL)))
)
WITH (fillfactor='80');


--
-- Name: TABLE api_keys; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.api_keys IS 'API keys. The secrets that they authenticate with lie in api_key_secrets.';


--
-- Name: COLUMN api_keys.created_by; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.api_keys.created_by IS 'The user whose role in the workspace bounds the key.';


--
-- Name: COLUMN api_keys.scopes; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.api_keys.scopes IS 'The scopes of the key, as granted.';


--
-- Name: COLUMN api_keys.allowlist; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.api_keys.allowlist IS 'Addresses and ranges that it may be used from; null: anywhere.';


--
-- Name: COLUMN api_keys.expires_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.api_keys.expires_at IS 'When it ends; null: never.';


--
-- Name: COLUMN api_keys.last_used_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.api_keys.last_used_at IS 'Written at most once a minute.';


--
-- Name: audit_log; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.audit_log (
    id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    actor text NOT NULL,
    action text NOT NULL,
    subject_kind text NOT NULL,
    subject_id text NOT NULL,
    details jsonb DEFAULT '{}'::jsonb NOT NULL,
    source inet,
    workspace_id uuid
);


--
-- Name: TABLE audit_log; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.audit_log IS 'Who changed what outside the public API. No row is ever changed; each is kept for two years.';


--
-- Name: COLUMN audit_log.actor; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.audit_log.actor IS 'cli:<account>, user:<id>, client:<id> or system.';


--
-- Name: COLUMN audit_log.action; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.audit_log.action IS 'Noun and verb, such as key.rotate.';


--
-- Name: COLUMN audit_log.subject_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.audit_log.subject_id IS 'The id, key or name of what was changed.';


--
-- Name: COLUMN audit_log.details; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.audit_log.details IS 'The values that it was changed to. Never a secret, nor the digest of one.';


--
-- Name: COLUMN audit_log.source; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.audit_log.source IS 'The address of who made it; null: at the command line, or by Pharos itself.';


--
-- Name: COLUMN audit_log.workspace_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.audit_log.workspace_id IS 'The workspace that it is about, which may be gone; null: none, or several.';


--
-- Name: collect_bots; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.collect_bots (
    domain_id uuid NOT NULL,
    day date NOT NULL,
    beacons bigint NOT NULL,
    CONSTRAINT collect_bots_beacons_check CHECK ((beacons > 0))
);


--
-- Name: TABLE collect_bots; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.collect_bots IS 'How many beacons of bots a site had on a UTC day. Nothing else is kept of them.';


--
-- Name: collect_salts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.collect_salts (
    day date NOT NULL,
    salt bytea NOT NULL,
    CONSTRAINT collect_salts_salt_check CHECK ((octet_length(salt) = 32))
);


--
-- Name: TABLE collect_salts; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.collect_salts IS 'The salts that ids of visitors are made under: that of this UTC day, and for its first hour that of the day before.';


--
-- Name: collect_sites; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.collect_sites (
    domain_id uuid NOT NULL,
    site_key text NOT NULL,
    secret_digest bytea,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT collect_sites_secret_digest_check CHECK ((octet_length(secret_digest) = 32)),
    CONSTRAINT collect_sites_site_key_check CHECK ((site_key ~ '^pst_[0-9A-Za-z]{22}$'::text))
);


--
-- Name: TABLE collect_sites; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.collect_sites IS 'The key of a domain in its pages, and the secret by which its servers send events.';


--
-- Name: COLUMN collect_sites.site_key; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.collect_sites.site_key IS 'Public: it stands in the pages.';


--
-- Name: COLUMN collect_sites.secret_digest; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.collect_sites.secret_digest IS 'The SHA-256 of the secret; null: there is none.';


--
-- Name: credit_balances; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.credit_balances (
    workspace_id uuid NOT NULL,
    cycle_start timestamp with time zone NOT NULL,
    cycle_end timestamp with time zone NOT NULL,
    used bigint DEFAULT 0 NOT NULL,
    granted bigint NOT NULL,
    capped_members integer DEFAULT 0 NOT NULL,
    CONSTRAINT credit_balances_check CHECK ((cycle_start < cycle_end)),
    CONSTRAINT credit_balances_used_check CHECK ((used >= 0))
)
WITH (fillfactor='50');


--
-- Name: TABLE credit_balances; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.credit_balances IS 'The credits that each workspace is granted and used. Whoever charges locks the row first, several in the order of their ids.';


--
-- Name: COLUMN credit_balances.cycle_start; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.credit_balances.cycle_start IS 'The cycle that the last charge fell into.';


--
-- Name: COLUMN credit_balances.cycle_end; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.credit_balances.cycle_end IS 'Once this is reached, the next charge begins a new cycle; until then nothing is written.';


--
-- Name: COLUMN credit_balances.used; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.credit_balances.used IS 'The sum of the cycle''s rows in credit_log.';


--
-- Name: COLUMN credit_balances.granted; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.credit_balances.granted IS 'The credits_per_cycle of the workspace''s plan. Triggers keep it so.';


--
-- Name: COLUMN credit_balances.capped_members; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.credit_balances.capped_members IS 'How many of the workspace''s members have a cap. Triggers count. With none, a charge needs no look at its user.';


--
-- Name: credit_log; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.credit_log (
    workspace_id uuid NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    request_id uuid NOT NULL,
    credential_id uuid NOT NULL,
    domain_id uuid,
    operation text NOT NULL,
    status smallint NOT NULL,
    cost integer NOT NULL,
    cache text NOT NULL
)
PARTITION BY RANGE (occurred_at);


--
-- Name: TABLE credit_log; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.credit_log IS 'Every request of a known credential, with its price; kept for 90 days. The primary key, read backwards, serves lists that begin with the newest. No foreign keys and no CHECKs: they would cost more than the row.';


--
-- Name: COLUMN credit_log.occurred_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.credit_log.occurred_at IS 'When it was answered. A charge that came after its cycle was closed has the first moment of the next.';


--
-- Name: COLUMN credit_log.domain_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.credit_log.domain_id IS 'The domain of the path; null where it has none in reach.';


--
-- Name: COLUMN credit_log.operation; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.credit_log.operation IS 'The id of the operation. Operations come with the versions of Pharos, so no CHECK.';


--
-- Name: COLUMN credit_log.cost; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.credit_log.cost IS 'The credits that were charged; 0 for hits, refusals, replays and discovery.';


--
-- Name: COLUMN credit_log.cache; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.credit_log.cache IS 'Where the answer came from: hit, miss or unavailable.';


--
-- Name: credit_log_default; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.credit_log_default (
    workspace_id uuid NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    request_id uuid NOT NULL,
    credential_id uuid NOT NULL,
    domain_id uuid,
    operation text NOT NULL,
    status smallint NOT NULL,
    cost integer NOT NULL,
    cache text NOT NULL
);


--
-- Name: TABLE credit_log_default; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.credit_log_default IS 'Rows of days that have no partition: a safety net, normally empty.';


--
-- Name: credit_member_usage; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.credit_member_usage (
    workspace_id uuid NOT NULL,
    user_id uuid NOT NULL,
    cycle_start timestamp with time zone NOT NULL,
    used bigint NOT NULL,
    CONSTRAINT credit_member_usage_used_check CHECK ((used >= 0))
)
WITH (fillfactor='50');


--
-- Name: TABLE credit_member_usage; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.credit_member_usage IS 'The part of a workspace''s credits that the credentials of each user used, capped or not. Guarded by the lock on the balance. No foreign keys: their locks could deadlock with whoever removes a member.';


--
-- Name: COLUMN credit_member_usage.cycle_start; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.credit_member_usage.cycle_start IS 'The row counts only while this is the cycle of the balance.';


--
-- Name: crux_figures; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.crux_figures (
    target_id uuid NOT NULL,
    form_factor text NOT NULL,
    grain text NOT NULL,
    period_end date NOT NULL,
    figures jsonb NOT NULL,
    CONSTRAINT crux_figures_form_factor_check CHECK ((form_factor = ANY (ARRAY['all'::text, 'mobile'::text, 'desktop'::text, 'tablet'::text]))),
    CONSTRAINT crux_figures_grain_check CHECK ((grain = ANY (ARRAY['day'::text, 'week'::text])))
);


--
-- Name: TABLE crux_figures; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.crux_figures IS 'The figures of collection periods. A period has 28 days, the last of which is its end. Daily ones are from records, weekly ones from the history, which ends on Saturdays.';


--
-- Name: crux_lookups; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.crux_lookups (
    run_id uuid NOT NULL,
    domain_id uuid NOT NULL,
    record jsonb,
    made_at timestamp with time zone NOT NULL
);


--
-- Name: TABLE crux_lookups; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.crux_lookups IS 'The results of lookups. They go with their runs.';


--
-- Name: COLUMN crux_lookups.record; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.crux_lookups.record IS 'Null: the page is not in the report.';


--
-- Name: crux_targets; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.crux_targets (
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    url text,
    label text,
    status text NOT NULL,
    origin text,
    origin_source text,
    url_normalized text,
    next_collection_at timestamp with time zone NOT NULL,
    leased_until timestamp with time zone,
    asked_at timestamp with time zone,
    failures integer DEFAULT 0 NOT NULL,
    last_failure text,
    fetched_at timestamp with time zone,
    first_seen_data_on date,
    mobile_passing_since date,
    desktop_passing_since date,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT crux_targets_check CHECK (((origin IS NULL) = (origin_source IS NULL))),
    CONSTRAINT crux_targets_failures_check CHECK ((failures >= 0)),
    CONSTRAINT crux_targets_label_check CHECK ((label <> ''::text)),
    CONSTRAINT crux_targets_status_check CHECK ((status = ANY (ARRAY['active'::text, 'no_data'::text, 'error'::text]))),
    CONSTRAINT crux_targets_url_check CHECK (((url <> ''::text) AND (octet_length(url) <= 2000)))
)
WITH (fillfactor='70');


--
-- Name: TABLE crux_targets; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.crux_targets IS 'The targets that field data of the Chrome UX Report is collected of: the origin of each domain, and pages that are followed.';


--
-- Name: COLUMN crux_targets.url; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.crux_targets.url IS 'The page in normal form; null: the origin of the domain.';


--
-- Name: COLUMN crux_targets.status; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.crux_targets.status IS 'By the last answer. No_data also before the first.';


--
-- Name: COLUMN crux_targets.origin; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.crux_targets.origin IS 'The origin that answered; null: a page, or there was no answer with figures.';


--
-- Name: COLUMN crux_targets.url_normalized; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.crux_targets.url_normalized IS 'The URL that the API made out of it; null: the same.';


--
-- Name: COLUMN crux_targets.leased_until; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.crux_targets.leased_until IS 'Until then one node alone asks, and this moment is its claim; a node that dies loses it then. Null: nobody asks.';


--
-- Name: COLUMN crux_targets.asked_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.crux_targets.asked_at IS 'When asking last ended, however it did; null: never.';


--
-- Name: COLUMN crux_targets.failures; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.crux_targets.failures IS 'How often in a row asking failed.';


--
-- Name: COLUMN crux_targets.fetched_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.crux_targets.fetched_at IS 'When asking last succeeded, whether there were figures or not.';


--
-- Name: COLUMN crux_targets.first_seen_data_on; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.crux_targets.first_seen_data_on IS 'The end of the first period that there were figures of.';


--
-- Name: COLUMN crux_targets.mobile_passing_since; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.crux_targets.mobile_passing_since IS 'The end of the first period of the present run of passes of Core Web Vitals on phones; null: it does not pass.';


--
-- Name: domain_registrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.domain_registrations (
    name text NOT NULL,
    next_check_at timestamp with time zone NOT NULL,
    leased_until timestamp with time zone,
    asked_at timestamp with time zone,
    failures integer DEFAULT 0 NOT NULL,
    last_failure text,
    answer jsonb,
    answered_at timestamp with time zone,
    changes jsonb DEFAULT '[]'::jsonb NOT NULL,
    workspace_id uuid,
    CONSTRAINT domain_registrations_check CHECK (((answer IS NULL) = (answered_at IS NULL))),
    CONSTRAINT domain_registrations_failures_check CHECK ((failures >= 0)),
    CONSTRAINT domain_registrations_name_check CHECK ((name <> ''::text))
);


--
-- Name: TABLE domain_registrations; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.domain_registrations IS 'The registered names, as far as they are known. All domains below a name share its row. Nothing is kept of registrants.';


--
-- Name: COLUMN domain_registrations.leased_until; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.domain_registrations.leased_until IS 'Until then one node alone asks, and this moment is its claim; a node that dies loses it then. Null: nobody asks.';


--
-- Name: COLUMN domain_registrations.asked_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.domain_registrations.asked_at IS 'When asking last ended, however it did; null: never.';


--
-- Name: COLUMN domain_registrations.failures; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.domain_registrations.failures IS 'How often in a row asking failed.';


--
-- Name: COLUMN domain_registrations.last_failure; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.domain_registrations.last_failure IS 'Why it failed last; null: it did not.';


--
-- Name: COLUMN domain_registrations.answer; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.domain_registrations.answer IS 'The part of the last good answer that is kept; null: there was none, or there is no RDAP service.';


--
-- Name: COLUMN domain_registrations.answered_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.domain_registrations.answered_at IS 'When that came.';


--
-- Name: COLUMN domain_registrations.changes; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.domain_registrations.changes IS 'The changes from answer to answer: the last 20, the newest first.';


--
-- Name: COLUMN domain_registrations.workspace_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.domain_registrations.workspace_id IS 'Whose turn asking takes: the workspace whose domain brought the name first. Null: nobody''s.';


--
-- Name: domains; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.domains (
    id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    hostname text NOT NULL,
    display_name text,
    verified boolean DEFAULT false NOT NULL,
    timezone_hint text,
    created_at timestamp with time zone NOT NULL,
    deleted_at timestamp with time zone,
    erasing_at timestamp with time zone,
    CONSTRAINT domains_erasing_check CHECK (((erasing_at IS NULL) OR (deleted_at IS NOT NULL))),
    CONSTRAINT domains_hostname_check CHECK (((hostname = lower(hostname)) AND ((length(hostname) >= 1) AND (length(hostname) <= 253))))
);


--
-- Name: TABLE domains; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.domains IS 'The sites that a workspace has monitored. One that is deleted can be restored for 30 days; then it is erased with all its data.';


--
-- Name: COLUMN domains.hostname; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.domains.hostname IS 'ASCII (IDNA), lower case, without a trailing dot.';


--
-- Name: COLUMN domains.verified; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.domains.verified IS 'Whether its owner has shown that it is theirs.';


--
-- Name: COLUMN domains.timezone_hint; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.domains.timezone_hint IS 'An IANA time zone, to be preferred when figures are shown.';


--
-- Name: COLUMN domains.deleted_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.domains.deleted_at IS 'When it was deleted; while set, the API does not show it and nothing checks it.';


--
-- Name: COLUMN domains.erasing_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.domains.erasing_at IS 'When its data began to be erased, from when on it can''t be restored.';


--
-- Name: idempotency_records; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.idempotency_records (
    credential_id uuid NOT NULL,
    key text NOT NULL,
    fingerprint bytea NOT NULL,
    status smallint NOT NULL,
    body bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT idempotency_records_fingerprint_check CHECK ((octet_length(fingerprint) = 32))
);


--
-- Name: TABLE idempotency_records; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.idempotency_records IS 'The answers to requests with an Idempotency-Key, written in the transaction of their effect. A row holds for 24 hours.';


--
-- Name: COLUMN idempotency_records.key; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.idempotency_records.key IS 'As the caller chose it; one namespace a credential.';


--
-- Name: COLUMN idempotency_records.fingerprint; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.idempotency_records.fingerprint IS 'SHA-256 over method, path and body: what tells a repeated request from another one.';


--
-- Name: COLUMN idempotency_records.body; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.idempotency_records.body IS 'The answer''s body, byte for byte.';


--
-- Name: indexing_changes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.indexing_changes (
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    url_id uuid NOT NULL,
    changed_at timestamp with time zone NOT NULL,
    field text NOT NULL,
    before text,
    after text,
    direction text NOT NULL,
    CONSTRAINT indexing_changes_direction_check CHECK ((direction = ANY (ARRAY['improved'::text, 'worsened'::text, 'neutral'::text]))),
    CONSTRAINT indexing_changes_field_check CHECK ((field = ANY (ARRAY['verdict'::text, 'coverage_reason'::text, 'robots_txt_state'::text, 'indexing_state'::text, 'page_fetch_state'::text, 'google_canonical'::text, 'user_canonical'::text])))
)
PARTITION BY RANGE (changed_at);


--
-- Name: TABLE indexing_changes; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.indexing_changes IS 'The differences between an inspection and the next. Kept for 12 months.';


--
-- Name: indexing_changes_default; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.indexing_changes_default (
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    url_id uuid NOT NULL,
    changed_at timestamp with time zone NOT NULL,
    field text NOT NULL,
    before text,
    after text,
    direction text NOT NULL,
    CONSTRAINT indexing_changes_direction_check CHECK ((direction = ANY (ARRAY['improved'::text, 'worsened'::text, 'neutral'::text]))),
    CONSTRAINT indexing_changes_field_check CHECK ((field = ANY (ARRAY['verdict'::text, 'coverage_reason'::text, 'robots_txt_state'::text, 'indexing_state'::text, 'page_fetch_state'::text, 'google_canonical'::text, 'user_canonical'::text])))
);


--
-- Name: TABLE indexing_changes_default; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.indexing_changes_default IS 'Changes of months that have no partition.';


--
-- Name: indexing_days; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.indexing_days (
    domain_id uuid NOT NULL,
    day date NOT NULL,
    inspected bigint NOT NULL,
    indexed bigint NOT NULL,
    unknown bigint NOT NULL,
    by_reason jsonb NOT NULL,
    fetch_errors bigint NOT NULL,
    canonical_mismatches bigint NOT NULL,
    rich_result_errors bigint NOT NULL,
    median_crawl_age_days double precision,
    CONSTRAINT indexing_days_indexed_check CHECK ((indexed >= 0)),
    CONSTRAINT indexing_days_inspected_check CHECK ((inspected >= 0)),
    CONSTRAINT indexing_days_unknown_check CHECK ((unknown >= 0))
);


--
-- Name: TABLE indexing_days; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.indexing_days IS 'How the monitored URLs of a domain stood after the last inspection of each UTC day that had one. Kept for 12 months.';


--
-- Name: COLUMN indexing_days.by_reason; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.indexing_days.by_reason IS 'How many have each coverage reason.';


--
-- Name: indexing_quota; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.indexing_quota (
    site_url text NOT NULL,
    day date NOT NULL,
    used integer DEFAULT 0 NOT NULL,
    rotation integer DEFAULT 0 NOT NULL,
    minute timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    minute_used integer DEFAULT 0 NOT NULL,
    CONSTRAINT indexing_quota_minute_used_check CHECK ((minute_used >= 0)),
    CONSTRAINT indexing_quota_rotation_check CHECK ((rotation >= 0)),
    CONSTRAINT indexing_quota_site_url_check CHECK ((octet_length(site_url) <= 2000)),
    CONSTRAINT indexing_quota_used_check CHECK ((used >= 0))
)
WITH (fillfactor='70');


--
-- Name: TABLE indexing_quota; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.indexing_quota IS 'How many inspections of a property were used on each day of Pacific time. Domains that are linked to one property share it.';


--
-- Name: COLUMN indexing_quota.rotation; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.indexing_quota.rotation IS 'How many of them the rotation used.';


--
-- Name: COLUMN indexing_quota.minute; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.indexing_quota.minute IS 'The minute that minute_used counts.';


--
-- Name: indexing_removed; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.indexing_removed (
    domain_id uuid NOT NULL,
    url text NOT NULL,
    removed_at timestamp with time zone NOT NULL,
    CONSTRAINT indexing_removed_url_check CHECK ((octet_length(url) <= 2000))
);


--
-- Name: TABLE indexing_removed; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.indexing_removed IS 'URLs that somebody took out of monitoring: nothing gathers them again for 12 months, unless somebody adds them.';


--
-- Name: indexing_results; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.indexing_results (
    url_id uuid NOT NULL,
    inspected_at timestamp with time zone NOT NULL,
    domain_id uuid NOT NULL,
    verdict text NOT NULL,
    coverage_reason text,
    page_fetch_state text NOT NULL,
    last_crawl_at timestamp with time zone
)
PARTITION BY RANGE (inspected_at);


--
-- Name: TABLE indexing_results; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.indexing_results IS 'The findings of each inspection, in short. Kept for 12 months.';


--
-- Name: indexing_results_default; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.indexing_results_default (
    url_id uuid NOT NULL,
    inspected_at timestamp with time zone NOT NULL,
    domain_id uuid NOT NULL,
    verdict text NOT NULL,
    coverage_reason text,
    page_fetch_state text NOT NULL,
    last_crawl_at timestamp with time zone
);


--
-- Name: TABLE indexing_results_default; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.indexing_results_default IS 'Inspections of months that have no partition.';


--
-- Name: indexing_rich_issues; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.indexing_rich_issues (
    url_id uuid NOT NULL,
    domain_id uuid NOT NULL,
    kind text NOT NULL,
    severity text NOT NULL,
    message text NOT NULL,
    CONSTRAINT indexing_rich_issues_kind_check CHECK ((octet_length(kind) <= 500)),
    CONSTRAINT indexing_rich_issues_message_check CHECK ((octet_length(message) <= 500)),
    CONSTRAINT indexing_rich_issues_severity_check CHECK ((severity = ANY (ARRAY['unknown'::text, 'warning'::text, 'error'::text])))
);


--
-- Name: TABLE indexing_rich_issues; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.indexing_rich_issues IS 'The issues of rich results that URLs have by their newest inspection, each once a type.';


--
-- Name: indexing_rich_types; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.indexing_rich_types (
    url_id uuid NOT NULL,
    domain_id uuid NOT NULL,
    kind text NOT NULL,
    items integer NOT NULL,
    severity text,
    CONSTRAINT indexing_rich_types_items_check CHECK ((items >= 0)),
    CONSTRAINT indexing_rich_types_kind_check CHECK ((octet_length(kind) <= 500)),
    CONSTRAINT indexing_rich_types_severity_check CHECK ((severity = ANY (ARRAY['unknown'::text, 'warning'::text, 'error'::text])))
);


--
-- Name: TABLE indexing_rich_types; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.indexing_rich_types IS 'The types of rich results that URLs have by their newest inspection.';


--
-- Name: COLUMN indexing_rich_types.severity; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.indexing_rich_types.severity IS 'The gravest issue of the items; null: they have none.';


--
-- Name: indexing_run_urls; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.indexing_run_urls (
    run_id uuid NOT NULL,
    place integer NOT NULL,
    url text NOT NULL,
    url_id uuid NOT NULL,
    status text,
    error_code text,
    inspected_at timestamp with time zone,
    inspection jsonb,
    CONSTRAINT indexing_run_urls_place_check CHECK ((place >= 0)),
    CONSTRAINT indexing_run_urls_status_check CHECK ((status = ANY (ARRAY['done'::text, 'failed'::text, 'skipped_duplicate'::text, 'skipped_quota'::text])))
);


--
-- Name: TABLE indexing_run_urls; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.indexing_run_urls IS 'The URLs of inspector runs, in the order of the request, with what was found.';


--
-- Name: COLUMN indexing_run_urls.status; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.indexing_run_urls.status IS 'Null: nobody has come to it.';


--
-- Name: indexing_runs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.indexing_runs (
    run_id uuid NOT NULL,
    domain_id uuid NOT NULL,
    site_url text NOT NULL,
    label text,
    has_results boolean DEFAULT true NOT NULL
);


--
-- Name: TABLE indexing_runs; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.indexing_runs IS 'Inspector runs. They go with their runs.';


--
-- Name: COLUMN indexing_runs.has_results; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.indexing_runs.has_results IS 'Whether results are kept still.';


--
-- Name: indexing_sites; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.indexing_sites (
    domain_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    next_round_at timestamp with time zone NOT NULL,
    leased_until timestamp with time zone,
    round_at timestamp with time zone,
    gathered_at timestamp with time zone,
    hurried_at timestamp with time zone,
    failures integer DEFAULT 0 NOT NULL,
    last_failure text,
    CONSTRAINT indexing_sites_failures_check CHECK ((failures >= 0))
)
WITH (fillfactor='70');


--
-- Name: TABLE indexing_sites; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.indexing_sites IS 'The rotation through the URLs of each linked domain.';


--
-- Name: COLUMN indexing_sites.leased_until; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.indexing_sites.leased_until IS 'Until then one node alone inspects, and this moment is its claim; a node that dies loses it then. Null: nobody does.';


--
-- Name: COLUMN indexing_sites.round_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.indexing_sites.round_at IS 'When the last round ended, however it did; null: there was none.';


--
-- Name: COLUMN indexing_sites.gathered_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.indexing_sites.gathered_at IS 'When URLs were last gathered from sitemaps and the search; null: never.';


--
-- Name: COLUMN indexing_sites.hurried_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.indexing_sites.hurried_at IS 'When somebody last added URLs, which are inspected at once; null: nobody did.';


--
-- Name: COLUMN indexing_sites.failures; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.indexing_sites.failures IS 'How many rounds in a row failed.';


--
-- Name: indexing_urls; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.indexing_urls (
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    url text NOT NULL,
    source text NOT NULL,
    is_valuable boolean DEFAULT false NOT NULL,
    created_at timestamp with time zone NOT NULL,
    next_inspection_at timestamp with time zone,
    failures integer DEFAULT 0 NOT NULL,
    last_error_code text,
    inspected_at timestamp with time zone,
    verdict text,
    coverage_state text,
    coverage_reason text,
    robots_txt_state text,
    indexing_state text,
    page_fetch_state text,
    crawled_as text,
    last_crawl_at timestamp with time zone,
    google_canonical text,
    user_canonical text,
    canonical_kind text,
    has_rich_errors boolean DEFAULT false NOT NULL,
    inspection jsonb,
    CONSTRAINT indexing_urls_check CHECK (((inspected_at IS NULL) = (inspection IS NULL))),
    CONSTRAINT indexing_urls_check1 CHECK (((inspected_at IS NULL) = (verdict IS NULL))),
    CONSTRAINT indexing_urls_failures_check CHECK ((failures >= 0)),
    CONSTRAINT indexing_urls_source_check CHECK ((source = ANY (ARRAY['manual'::text, 'sitemap'::text, 'gsc_pages'::text, 'analytics'::text, 'inspector'::text]))),
    CONSTRAINT indexing_urls_url_check CHECK (((url <> ''::text) AND (octet_length(url) <= 2000)))
)
WITH (fillfactor='80');


--
-- Name: TABLE indexing_urls; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.indexing_urls IS 'The URLs whose place in the index is known, with their newest inspection.';


--
-- Name: COLUMN indexing_urls.is_valuable; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.indexing_urls.is_valuable IS 'Whether it is among the pages that the search sends most to.';


--
-- Name: COLUMN indexing_urls.next_inspection_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.indexing_urls.next_inspection_at IS 'When it is inspected next; null: it is not monitored, and was named by an inspector run alone.';


--
-- Name: COLUMN indexing_urls.failures; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.indexing_urls.failures IS 'How many inspections in a row failed.';


--
-- Name: COLUMN indexing_urls.last_error_code; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.indexing_urls.last_error_code IS 'Why the last inspection failed; null: it did not.';


--
-- Name: COLUMN indexing_urls.canonical_kind; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.indexing_urls.canonical_kind IS 'How the canonical page that Google chose differs; null: it does not.';


--
-- Name: COLUMN indexing_urls.inspection; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.indexing_urls.inspection IS 'The newest inspection, whole; null: there was none.';


--
-- Name: jobs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.jobs (
    id uuid NOT NULL,
    kind text NOT NULL,
    lane text,
    payload jsonb NOT NULL,
    state text NOT NULL,
    run_at timestamp with time zone NOT NULL,
    leased_until timestamp with time zone,
    worker uuid,
    attempts integer NOT NULL,
    max_attempts integer NOT NULL,
    last_error text,
    created_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    workspace_id uuid,
    run_id uuid,
    started_at timestamp with time zone,
    error_code text,
    error_detail text,
    total_items integer,
    completed_items integer,
    failed_items integer,
    CONSTRAINT jobs_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT jobs_check CHECK (((state = 'running'::text) = (leased_until IS NOT NULL))),
    CONSTRAINT jobs_check1 CHECK (((state = 'running'::text) = (worker IS NOT NULL))),
    CONSTRAINT jobs_check2 CHECK (((state = ANY (ARRAY['succeeded'::text, 'dead'::text])) = (finished_at IS NOT NULL))),
    CONSTRAINT jobs_completed_items_check CHECK ((completed_items >= 0)),
    CONSTRAINT jobs_failed_items_check CHECK ((failed_items >= 0)),
    CONSTRAINT jobs_kind_check CHECK ((kind <> ''::text)),
    CONSTRAINT jobs_lane_check CHECK ((lane <> ''::text)),
    CONSTRAINT jobs_max_attempts_check CHECK ((max_attempts > 0)),
    CONSTRAINT jobs_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'running'::text, 'succeeded'::text, 'dead'::text]))),
    CONSTRAINT jobs_total_items_check CHECK ((total_items >= 0))
)
WITH (fillfactor='70');


--
-- Name: TABLE jobs; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.jobs IS 'Work that is done later. Written in the transaction that asks for it; kept 7 days once succeeded, 90 once dead, and as long as its run is open.';


--
-- Name: COLUMN jobs.kind; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.jobs.kind IS 'Which handler does it. Kinds come with the versions of Pharos, so no CHECK.';


--
-- Name: COLUMN jobs.lane; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.jobs.lane IS 'The region that must do it; null: whoever comes first.';


--
-- Name: COLUMN jobs.payload; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.jobs.payload IS 'The order of the job. Never a secret: operators see it.';


--
-- Name: COLUMN jobs.run_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.jobs.run_at IS 'Not before.';


--
-- Name: COLUMN jobs.leased_until; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.jobs.leased_until IS 'Until then its worker alone has it; one that dies loses it then.';


--
-- Name: COLUMN jobs.worker; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.jobs.worker IS 'The process that has it.';


--
-- Name: COLUMN jobs.attempts; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.jobs.attempts IS 'The attempts that were made, the present one included.';


--
-- Name: COLUMN jobs.last_error; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.jobs.last_error IS 'Why the last attempt that failed did.';


--
-- Name: COLUMN jobs.workspace_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.jobs.workspace_id IS 'Whose it is; claims share the room among workspaces. Null: nobody''s.';


--
-- Name: COLUMN jobs.run_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.jobs.run_id IS 'The run that it belongs to. No foreign key: each is forgotten in its own time.';


--
-- Name: COLUMN jobs.started_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.jobs.started_at IS 'When its first attempt began.';


--
-- Name: COLUMN jobs.error_code; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.jobs.error_code IS 'The suffix of a problem that the caller of its run is told of the last attempt that failed.';


--
-- Name: COLUMN jobs.error_detail; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.jobs.error_detail IS 'The same in words.';


--
-- Name: COLUMN jobs.total_items; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.jobs.total_items IS 'How many items of its run it does, as its handler noted; null: it has not, or has none.';


--
-- Name: COLUMN jobs.completed_items; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.jobs.completed_items IS 'How many of them are done.';


--
-- Name: COLUMN jobs.failed_items; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.jobs.failed_items IS 'How many of them failed.';


--
-- Name: members; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.members (
    workspace_id uuid NOT NULL,
    user_id uuid NOT NULL,
    role text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    credit_cap bigint,
    CONSTRAINT members_credit_cap_check CHECK ((credit_cap >= 0)),
    CONSTRAINT members_role_check CHECK ((role = ANY (ARRAY['viewer'::text, 'member'::text, 'admin'::text, 'owner'::text])))
);


--
-- Name: TABLE members; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.members IS 'Which users belong to which workspaces, and as what.';


--
-- Name: COLUMN members.credit_cap; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.members.credit_cap IS 'How many of the workspace''s credits the member''s credentials may use in a cycle, all together; null: no cap.';


--
-- Name: metric_events; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.metric_events (
    number bigint NOT NULL,
    domain_id uuid NOT NULL,
    module text NOT NULL,
    metric text NOT NULL,
    at timestamp with time zone NOT NULL,
    recorded_at timestamp with time zone DEFAULT now() NOT NULL,
    context jsonb NOT NULL,
    CONSTRAINT metric_events_metric_check CHECK ((metric <> ''::text)),
    CONSTRAINT metric_events_module_check CHECK ((module <> ''::text))
);


--
-- Name: TABLE metric_events; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.metric_events IS 'Events of sites that alert rules count, such as a certificate that changed, or that have them evaluated at once, such as an incident. Groups write them in the transaction of the change; alerting reads them. Kept 30 days.';


--
-- Name: COLUMN metric_events.metric; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.metric_events.metric IS 'The metric that counts it, or another name where it only has rules evaluated.';


--
-- Name: COLUMN metric_events.context; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.metric_events.context IS 'The words that an alert tells of it.';


--
-- Name: metric_events_number_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.metric_events ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.metric_events_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: notices; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.notices (
    id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    domain_id uuid,
    kind text NOT NULL,
    severity text NOT NULL,
    module text,
    title text NOT NULL,
    body text NOT NULL,
    data jsonb NOT NULL,
    resource_path text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT notices_kind_check CHECK ((kind = ANY (ARRAY['alert'::text, 'report_ready'::text, 'report_failed'::text, 'run_finished'::text, 'module_disconnected'::text, 'quota_warning'::text, 'subscription'::text, 'announcement'::text]))),
    CONSTRAINT notices_severity_check CHECK ((severity = ANY (ARRAY['info'::text, 'warning'::text, 'critical'::text])))
);


--
-- Name: TABLE notices; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.notices IS 'News that people of a workspace should know. Whoever knows some writes it in the transaction of the change; a trigger of alerting makes notifications of it and takes it out again, so the table is empty.';


--
-- Name: COLUMN notices.workspace_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.notices.workspace_id IS 'No foreign keys: a row is gone before its transaction is, and notifications have them.';


--
-- Name: COLUMN notices.domain_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.notices.domain_id IS 'Null: it is about the workspace.';


--
-- Name: COLUMN notices.kind; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.notices.kind IS 'As notifications have it, except that alerts never come this way.';


--
-- Name: COLUMN notices.resource_path; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.notices.resource_path IS 'The path of the API to look at next.';


--
-- Name: notification_read_marks; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.notification_read_marks (
    user_id uuid NOT NULL,
    domain_id uuid NOT NULL,
    kind text NOT NULL,
    read_before timestamp with time zone NOT NULL,
    read_at timestamp with time zone NOT NULL,
    CONSTRAINT notification_read_marks_kind_check CHECK ((kind <> ''::text))
);


--
-- Name: TABLE notification_read_marks; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.notification_read_marks IS 'Up to where users have read the notifications of a kind about a domain at once. Kept as long as notifications before it.';


--
-- Name: COLUMN notification_read_marks.read_before; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.notification_read_marks.read_before IS 'A notification that was made before then is read, since read_at of the first mark after it, unless notification_reads has a row of it.';


--
-- Name: notification_reads; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.notification_reads (
    user_id uuid NOT NULL,
    notification_id uuid NOT NULL,
    read_at timestamp with time zone
);


--
-- Name: TABLE notification_reads; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.notification_reads IS 'Who has read what one by one. Without a row a notification is read if a mark lies after it, and else unread.';


--
-- Name: COLUMN notification_reads.read_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.notification_reads.read_at IS 'Null: it is unread, whatever marks lie after it.';


--
-- Name: notifications; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.notifications (
    id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    domain_id uuid,
    kind text NOT NULL,
    severity text NOT NULL,
    module text,
    title text NOT NULL,
    body text NOT NULL,
    data jsonb NOT NULL,
    alert_id uuid,
    resource_path text,
    created_at timestamp with time zone NOT NULL,
    resolved_at timestamp with time zone,
    CONSTRAINT notifications_kind_check CHECK ((kind = ANY (ARRAY['alert'::text, 'report_ready'::text, 'report_failed'::text, 'run_finished'::text, 'module_disconnected'::text, 'quota_warning'::text, 'subscription'::text, 'announcement'::text]))),
    CONSTRAINT notifications_severity_check CHECK ((severity = ANY (ARRAY['info'::text, 'warning'::text, 'critical'::text])))
);


--
-- Name: TABLE notifications; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.notifications IS 'Everything that people of a workspace are told. Kept 12 months.';


--
-- Name: COLUMN notifications.domain_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.notifications.domain_id IS 'Null: it is about the workspace.';


--
-- Name: COLUMN notifications.alert_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.notifications.alert_id IS 'The alert that it tells of. No foreign key: each is forgotten in its own time.';


--
-- Name: COLUMN notifications.resource_path; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.notifications.resource_path IS 'The path of the API to look at next.';


--
-- Name: oauth_clients; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.oauth_clients (
    id uuid NOT NULL,
    name text,
    redirect_uris text[] NOT NULL,
    auth_method text NOT NULL,
    secret_digest bytea,
    verified_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    granted_at timestamp with time zone,
    CONSTRAINT oauth_clients_auth_method_check CHECK ((auth_method = ANY (ARRAY['none'::text, 'client_secret_basic'::text, 'client_secret_post'::text]))),
    CONSTRAINT oauth_clients_check CHECK (((auth_method = 'none'::text) = (secret_digest IS NULL))),
    CONSTRAINT oauth_clients_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
    CONSTRAINT oauth_clients_redirect_uris_check CHECK ((((cardinality(redirect_uris) >= 1) AND (cardinality(redirect_uris) <= 20)) AND (array_position(redirect_uris, NULL::text) IS NULL))),
    CONSTRAINT oauth_clients_secret_digest_check CHECK ((octet_length(secret_digest) = 32))
);


--
-- Name: TABLE oauth_clients; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.oauth_clients IS 'Apps. Anybody may register one; those that never get a grant are deleted.';


--
-- Name: COLUMN oauth_clients.name; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.oauth_clients.name IS 'As the app calls itself; null: it does not say.';


--
-- Name: COLUMN oauth_clients.redirect_uris; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.oauth_clients.redirect_uris IS 'Where users may be sent back to, matched by exact string.';


--
-- Name: COLUMN oauth_clients.secret_digest; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.oauth_clients.secret_digest IS 'SHA-256 of the secret, which itself is stored nowhere; null: a public client.';


--
-- Name: COLUMN oauth_clients.verified_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.oauth_clients.verified_at IS 'When an operator said that it is what it says; null: unverified.';


--
-- Name: COLUMN oauth_clients.granted_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.oauth_clients.granted_at IS 'When it first got a grant, which may have left since; null: never.';


--
-- Name: oauth_codes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.oauth_codes (
    digest bytea NOT NULL,
    client_id uuid NOT NULL,
    user_id uuid NOT NULL,
    redirect_uri text NOT NULL,
    resource text NOT NULL,
    scopes text[] NOT NULL,
    workspace_ids uuid[] NOT NULL,
    code_challenge text NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    grant_id uuid,
    CONSTRAINT oauth_codes_digest_check CHECK ((octet_length(digest) = 32))
);


--
-- Name: TABLE oauth_codes; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.oauth_codes IS 'Authorization codes of the last day.';


--
-- Name: COLUMN oauth_codes.digest; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.oauth_codes.digest IS 'SHA-256 of the code, which itself is stored nowhere.';


--
-- Name: COLUMN oauth_codes.grant_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.oauth_codes.grant_id IS 'The grant that it became; null: not used yet.';


--
-- Name: oauth_decisions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.oauth_decisions (
    request_id uuid NOT NULL,
    lapses_at timestamp with time zone NOT NULL
);


--
-- Name: TABLE oauth_decisions; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.oauth_decisions IS 'Authorization requests that a user decided on, so that none is decided twice.';


--
-- Name: COLUMN oauth_decisions.lapses_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.oauth_decisions.lapses_at IS 'When nobody can decide on it any more anyway.';


--
-- Name: oauth_grants; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.oauth_grants (
    id uuid NOT NULL,
    client_id uuid NOT NULL,
    user_id uuid NOT NULL,
    resource text NOT NULL,
    scopes text[] NOT NULL,
    workspace_ids uuid[] NOT NULL,
    created_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone,
    last_used_at timestamp with time zone,
    CONSTRAINT oauth_grants_scopes_check CHECK (((cardinality(scopes) > 0) AND (array_position(scopes, NULL::text) IS NULL))),
    CONSTRAINT oauth_grants_workspace_ids_check CHECK ((cardinality(workspace_ids) > 0))
)
WITH (fillfactor='80');


--
-- Name: TABLE oauth_grants; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.oauth_grants IS 'The grants of users to apps. One whose refresh tokens are all over is deleted.';


--
-- Name: COLUMN oauth_grants.resource; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.oauth_grants.resource IS 'The resource that its tokens are for; chosen at authorization, never again.';


--
-- Name: COLUMN oauth_grants.workspace_ids; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.oauth_grants.workspace_ids IS 'The workspaces that the user ticked, the default first. It reaches those of which the user still is a member.';


--
-- Name: COLUMN oauth_grants.last_used_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.oauth_grants.last_used_at IS 'Written at most once a minute.';


--
-- Name: oauth_refresh_tokens; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.oauth_refresh_tokens (
    digest bytea NOT NULL,
    grant_id uuid NOT NULL,
    issued_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    superseded_at timestamp with time zone,
    CONSTRAINT oauth_refresh_tokens_digest_check CHECK ((octet_length(digest) = 32))
)
WITH (fillfactor='90');


--
-- Name: TABLE oauth_refresh_tokens; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.oauth_refresh_tokens IS 'Refresh tokens, those that were superseded too: one that comes back revokes its grant.';


--
-- Name: COLUMN oauth_refresh_tokens.digest; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.oauth_refresh_tokens.digest IS 'SHA-256 of the token, which itself is stored nowhere.';


--
-- Name: COLUMN oauth_refresh_tokens.superseded_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.oauth_refresh_tokens.superseded_at IS 'When the next took its place; null: good for one use.';


--
-- Name: oauth_signing_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.oauth_signing_keys (
    kid text NOT NULL,
    private_key bytea NOT NULL,
    signs_from timestamp with time zone NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT oauth_signing_keys_kid_check CHECK ((kid <> ''::text))
);


--
-- Name: TABLE oauth_signing_keys; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.oauth_signing_keys IS 'The keys that sign access tokens, shared by all nodes.';


--
-- Name: COLUMN oauth_signing_keys.kid; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.oauth_signing_keys.kid IS 'The thumbprint of the public half (RFC 7638).';


--
-- Name: COLUMN oauth_signing_keys.private_key; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.oauth_signing_keys.private_key IS 'P-256, PKCS #8.';


--
-- Name: COLUMN oauth_signing_keys.signs_from; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.oauth_signing_keys.signs_from IS 'Published at once, it signs from then on; a younger one takes over.';


--
-- Name: pending_sign_ins; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.pending_sign_ins (
    digest bytea NOT NULL,
    user_id uuid NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    attempts smallint DEFAULT 0 NOT NULL,
    CONSTRAINT pending_sign_ins_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT pending_sign_ins_digest_check CHECK ((octet_length(digest) = 32))
);


--
-- Name: TABLE pending_sign_ins; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.pending_sign_ins IS 'Sign-ins by a right password that wait for the second factor.';


--
-- Name: COLUMN pending_sign_ins.digest; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.pending_sign_ins.digest IS 'SHA-256 of the cookie''s secret, which itself is stored nowhere.';


--
-- Name: COLUMN pending_sign_ins.attempts; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.pending_sign_ins.attempts IS 'How often a code was tried.';


--
-- Name: plan_quotas; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.plan_quotas (
    plan_key text NOT NULL,
    resource text NOT NULL,
    quota_limit bigint NOT NULL,
    CONSTRAINT plan_quotas_quota_limit_check CHECK ((quota_limit >= 0)),
    CONSTRAINT plan_quotas_resource_check CHECK ((resource = ANY (ARRAY['inspector_urls'::text, 'synthetic_runs'::text, 'tracked_urls_crux'::text, 'tracked_urls_synthetic'::text, 'monitored_urls_indexing'::text, 'report_templates'::text])))
);


--
-- Name: TABLE plan_quotas; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.plan_quotas IS 'How much a plan has of what credits do not replace. No row: without a limit.';


--
-- Name: plans; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.plans (
    key text NOT NULL,
    name text NOT NULL,
    credits_per_cycle bigint NOT NULL,
    modules text[] NOT NULL,
    CONSTRAINT plans_credits_per_cycle_check CHECK ((credits_per_cycle >= 0)),
    CONSTRAINT plans_key_check CHECK ((key ~ '^[a-z0-9-]{1,40}$'::text)),
    CONSTRAINT plans_modules_check CHECK (((array_position(modules, NULL::text) IS NULL) AND (modules <@ ARRAY['uptime'::text, 'rum'::text, 'crux'::text, 'synthetic'::text, 'gsc'::text, 'indexing'::text, 'robots'::text, 'sitemap'::text, 'analytics'::text, 'alerts'::text, 'notifications'::text, 'reports'::text]))),
    CONSTRAINT plans_name_check CHECK ((name <> ''::text))
);


--
-- Name: TABLE plans; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.plans IS 'The modules and quotas that a workspace may use.';


--
-- Name: COLUMN plans.credits_per_cycle; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.plans.credits_per_cycle IS 'Credits that each monthly cycle begins with.';


--
-- Name: COLUMN plans.modules; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.plans.modules IS 'Modules of the plan; platform and credits belong to every plan and are not listed.';


--
-- Name: quota_usage; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.quota_usage (
    workspace_id uuid NOT NULL,
    resource text NOT NULL,
    period_start date NOT NULL,
    used bigint NOT NULL,
    CONSTRAINT quota_usage_check CHECK (
CASE resource
    WHEN 'inspector_urls'::text THEN (period_start > '1970-01-01'::date)
    WHEN 'synthetic_runs'::text THEN ((period_start > '1970-01-01'::date) AND (EXTRACT(day FROM period_start) = (1)::numeric))
    WHEN 'tracked_urls_crux'::text THEN (period_start = '1970-01-01'::date)
    WHEN 'tracked_urls_synthetic'::text THEN (period_start = '1970-01-01'::date)
    WHEN 'monitored_urls_indexing'::text THEN (period_start = '1970-01-01'::date)
    WHEN 'report_templates'::text THEN (period_start = '1970-01-01'::date)
    ELSE false
END),
    CONSTRAINT quota_usage_used_check CHECK ((used >= 0))
);


--
-- Name: TABLE quota_usage; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.quota_usage IS 'The parts of their quotas that workspaces used. Whoever uses some counts it in the transaction of the effect.';


--
-- Name: COLUMN quota_usage.period_start; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.quota_usage.period_start IS 'The UTC day of inspector_urls, the first of the calendar month (UTC) of synthetic_runs. The others are stocks, whose one period began on 1970-01-01.';


--
-- Name: COLUMN quota_usage.used; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.quota_usage.used IS 'The number that there is now of a stock; else the number that was used in the period.';


--
-- Name: recovery_codes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.recovery_codes (
    digest bytea NOT NULL,
    user_id uuid NOT NULL,
    CONSTRAINT recovery_codes_digest_check CHECK ((octet_length(digest) = 32))
);


--
-- Name: TABLE recovery_codes; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.recovery_codes IS 'Codes that stand in for one of the second factor, once: one that is used is deleted.';


--
-- Name: COLUMN recovery_codes.digest; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.recovery_codes.digest IS 'SHA-256 of the code, which itself is stored nowhere.';


--
-- Name: regions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.regions (
    key text NOT NULL,
    registered_at timestamp with time zone NOT NULL,
    name text,
    continent text,
    country text,
    CONSTRAINT regions_country_check CHECK ((country ~ '^[A-Z]{2}$'::text)),
    CONSTRAINT regions_key_check CHECK ((key <> ''::text))
);


--
-- Name: TABLE regions; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.regions IS 'Where checks can run from. A worker registers its region when it starts.';


--
-- Name: COLUMN regions.name; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.regions.name IS 'The name that people call it by; null: as its key.';


--
-- Name: COLUMN regions.continent; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.regions.continent IS 'Where it is; null: not said.';


--
-- Name: COLUMN regions.country; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.regions.country IS 'ISO 3166-1 alpha-2; null: not said.';


--
-- Name: report_deliveries; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.report_deliveries (
    id uuid NOT NULL,
    run_id uuid NOT NULL,
    recipient_id uuid NOT NULL,
    state text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    last_error text,
    created_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT report_deliveries_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT report_deliveries_check CHECK (((state = 'queued'::text) = (ended_at IS NULL))),
    CONSTRAINT report_deliveries_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'sent'::text, 'failed'::text, 'dropped'::text])))
)
WITH (fillfactor='70');


--
-- Name: TABLE report_deliveries; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.report_deliveries IS 'Each report on its way to each recipient. The job of the same id sends it. It goes with its run and with its recipient.';


--
-- Name: COLUMN report_deliveries.state; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.report_deliveries.state IS 'Dropped: there was no longer anything to send, or nobody who wanted it.';


--
-- Name: report_questions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.report_questions (
    id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    address_digest bytea NOT NULL,
    is_refusal boolean NOT NULL,
    at timestamp with time zone NOT NULL
);


--
-- Name: TABLE report_questions; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.report_questions IS 'How often addresses were asked whether they want reports, and which want none: so that nobody is asked too often. Kept for 90 days.';


--
-- Name: COLUMN report_questions.address_digest; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.report_questions.address_digest IS 'The SHA-256 of the address without case. The address itself is not kept.';


--
-- Name: COLUMN report_questions.is_refusal; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.report_questions.is_refusal IS 'Whether they unsubscribed; otherwise they were asked.';


--
-- Name: report_recipients; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.report_recipients (
    id uuid NOT NULL,
    template_id uuid NOT NULL,
    address text NOT NULL,
    address_key text NOT NULL,
    asked_at timestamp with time zone NOT NULL,
    asked_until timestamp with time zone NOT NULL,
    link_digest bytea,
    confirmed_at timestamp with time zone,
    unsubscribed_at timestamp with time zone,
    unsubscribe_token uuid DEFAULT gen_random_uuid() NOT NULL,
    CONSTRAINT report_recipients_address_check CHECK ((address <> ''::text)),
    CONSTRAINT report_recipients_check CHECK (((link_digest IS NULL) OR (confirmed_at IS NULL)))
);


--
-- Name: TABLE report_recipients; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.report_recipients IS 'People whom the reports of a template are mailed to, once they said that they want them. They go with their template.';


--
-- Name: COLUMN report_recipients.address_key; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.report_recipients.address_key IS 'The address without case: the only one of its template.';


--
-- Name: COLUMN report_recipients.asked_until; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.report_recipients.asked_until IS 'Until when they may say yes.';


--
-- Name: COLUMN report_recipients.link_digest; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.report_recipients.link_digest IS 'The SHA-256 of the secret in the link of the last question. Null: it is not mailed yet, or they have answered.';


--
-- Name: COLUMN report_recipients.unsubscribe_token; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.report_recipients.unsubscribe_token IS 'Random; stands in the link by which they end the mails.';


--
-- Name: report_runs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.report_runs (
    run_id uuid NOT NULL,
    template_id uuid,
    template_name text NOT NULL,
    trigger text NOT NULL,
    format text NOT NULL,
    period text,
    first_day date NOT NULL,
    last_day date NOT NULL,
    ordered jsonb NOT NULL,
    result jsonb,
    has_result boolean DEFAULT false NOT NULL,
    is_mailed boolean DEFAULT false NOT NULL,
    CONSTRAINT report_runs_check CHECK ((first_day <= last_day)),
    CONSTRAINT report_runs_check1 CHECK (((NOT has_result) OR (result IS NOT NULL))),
    CONSTRAINT report_runs_format_check CHECK ((format = ANY (ARRAY['pdf'::text, 'html'::text, 'csv'::text, 'json'::text]))),
    CONSTRAINT report_runs_trigger_check CHECK ((trigger = ANY (ARRAY['api'::text, 'dashboard'::text, 'schedule'::text])))
)
WITH (fillfactor='70');


--
-- Name: TABLE report_runs; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.report_runs IS 'The parts of a run of a report beside those that every run has. A row goes with its run, a year after its end.';


--
-- Name: COLUMN report_runs.ordered; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.report_runs.ordered IS 'All that the report is made from, as it was when it was asked for.';


--
-- Name: COLUMN report_runs.result; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.report_runs.result IS 'Size, pages and digest of the result; null until it is there. It stays when the result goes.';


--
-- Name: COLUMN report_runs.has_result; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.report_runs.has_result IS 'Whether the result lies in object storage: upkeep takes it out there first.';


--
-- Name: COLUMN report_runs.is_mailed; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.report_runs.is_mailed IS 'Whether the report goes to the recipients of its template once it is made.';


--
-- Name: report_templates; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.report_templates (
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    name text NOT NULL,
    name_key text NOT NULL,
    description text,
    sections jsonb NOT NULL,
    locale text NOT NULL,
    format text NOT NULL,
    default_period text NOT NULL,
    compare_previous boolean NOT NULL,
    branding jsonb NOT NULL,
    schedule jsonb,
    next_run_at timestamp with time zone,
    leased_until timestamp with time zone,
    requester_kind text NOT NULL,
    credential_id uuid NOT NULL,
    last_run_at timestamp with time zone,
    created_by uuid,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    recipients_count integer DEFAULT 0 NOT NULL,
    CONSTRAINT report_templates_format_check CHECK ((format = ANY (ARRAY['pdf'::text, 'html'::text, 'csv'::text, 'json'::text]))),
    CONSTRAINT report_templates_locale_check CHECK ((locale = ANY (ARRAY['en'::text, 'de'::text, 'fr'::text, 'es'::text, 'ja'::text]))),
    CONSTRAINT report_templates_name_check CHECK ((name <> ''::text))
)
WITH (fillfactor='70');


--
-- Name: TABLE report_templates; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.report_templates IS 'Which reports are made of a domain, how they look, and when they are made by themselves. Kept for as long as the domain.';


--
-- Name: COLUMN report_templates.name_key; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.report_templates.name_key IS 'The name without case: the only one of its domain.';


--
-- Name: COLUMN report_templates.sections; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.report_templates.sections IS 'Sections and widgets in the order of display, with the version of their form.';


--
-- Name: COLUMN report_templates.branding; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.report_templates.branding IS 'The URL of the logo, and the accent colour.';


--
-- Name: COLUMN report_templates.schedule; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.report_templates.schedule IS 'Null: no report is made by itself.';


--
-- Name: COLUMN report_templates.next_run_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.report_templates.next_run_at IS 'When the next report is due; null: none is.';


--
-- Name: COLUMN report_templates.credential_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.report_templates.credential_id IS 'Who chose the settings last, in whose name reports are made by themselves. No foreign key: a template outlives its credential.';


--
-- Name: COLUMN report_templates.created_by; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.report_templates.created_by IS 'The user behind that of whoever made it. No foreign key, for the same reason.';


--
-- Name: COLUMN report_templates.recipients_count; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.report_templates.recipients_count IS 'How many recipients said yes and have not unsubscribed; a trigger on report_recipients counts them.';


--
-- Name: robots_checks; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.robots_checks (
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    checked_at timestamp with time zone NOT NULL,
    run_id uuid,
    outcome text NOT NULL,
    status_code integer,
    response_ms double precision,
    size_bytes integer,
    error_class text,
    version_id uuid,
    CONSTRAINT robots_checks_outcome_check CHECK ((outcome = ANY (ARRAY['unchanged'::text, 'changed'::text, 'failed'::text])))
)
PARTITION BY RANGE (checked_at);


--
-- Name: TABLE robots_checks; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.robots_checks IS 'Every check of a robots.txt. The primary key, read backwards, serves lists that begin with the newest.';


--
-- Name: COLUMN robots_checks.run_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.robots_checks.run_id IS 'The run that asked for it; null: the schedule.';


--
-- Name: COLUMN robots_checks.error_class; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.robots_checks.error_class IS 'Why it failed, from a closed list that grows with the fetch; so no CHECK. Null: it did not, or the status says so.';


--
-- Name: COLUMN robots_checks.version_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.robots_checks.version_id IS 'The version that it found; null: it failed.';


--
-- Name: robots_checks_default; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.robots_checks_default (
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    checked_at timestamp with time zone NOT NULL,
    run_id uuid,
    outcome text NOT NULL,
    status_code integer,
    response_ms double precision,
    size_bytes integer,
    error_class text,
    version_id uuid,
    CONSTRAINT robots_checks_outcome_check CHECK ((outcome = ANY (ARRAY['unchanged'::text, 'changed'::text, 'failed'::text])))
);


--
-- Name: TABLE robots_checks_default; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.robots_checks_default IS 'Checks of months that have no partition: a safety net, normally empty.';


--
-- Name: robots_sites; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.robots_sites (
    domain_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    next_check_at timestamp with time zone NOT NULL,
    leased_until timestamp with time zone,
    robots_url text,
    state text,
    status_code integer,
    last_checked_at timestamp with time zone,
    last_changed_at timestamp with time zone,
    failures integer DEFAULT 0 NOT NULL,
    version_id uuid,
    good_fetch jsonb,
    issues jsonb DEFAULT '[]'::jsonb NOT NULL,
    issue_counts jsonb DEFAULT '{"info": 0, "error": 0, "warning": 0}'::jsonb NOT NULL,
    sitemaps jsonb DEFAULT '[]'::jsonb NOT NULL,
    sitemaps_asked_at timestamp with time zone,
    blocks_all boolean,
    blocks_googlebot boolean,
    failing_test_urls integer DEFAULT 0 NOT NULL,
    CONSTRAINT robots_sites_check CHECK (((version_id IS NULL) = (good_fetch IS NULL))),
    CONSTRAINT robots_sites_check1 CHECK (((robots_url IS NULL) = (last_checked_at IS NULL))),
    CONSTRAINT robots_sites_check2 CHECK (((state IS NULL) = (last_checked_at IS NULL))),
    CONSTRAINT robots_sites_check3 CHECK (((blocks_all IS NULL) = (last_checked_at IS NULL))),
    CONSTRAINT robots_sites_check4 CHECK (((blocks_googlebot IS NULL) = (last_checked_at IS NULL))),
    CONSTRAINT robots_sites_failing_test_urls_check CHECK ((failing_test_urls >= 0)),
    CONSTRAINT robots_sites_failures_check CHECK ((failures >= 0)),
    CONSTRAINT robots_sites_state_check CHECK ((state = ANY (ARRAY['ok'::text, 'missing'::text, 'unreachable'::text, 'redirected_off_host'::text, 'server_error'::text, 'too_large'::text, 'html_instead'::text, 'empty'::text])))
)
WITH (fillfactor='70');


--
-- Name: TABLE robots_sites; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.robots_sites IS 'The robots.txt of a site, as far as it is known, and when it is checked next.';


--
-- Name: COLUMN robots_sites.workspace_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.robots_sites.workspace_id IS 'The domain''s, which never changes. Claims share what is due among workspaces.';


--
-- Name: COLUMN robots_sites.leased_until; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.robots_sites.leased_until IS 'Until then one node alone has the check; a node that dies loses it then. Null: nobody has.';


--
-- Name: COLUMN robots_sites.state; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.robots_sites.state IS 'How the file stood at the last check; null: there was none.';


--
-- Name: COLUMN robots_sites.failures; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.robots_sites.failures IS 'How many checks in a row failed.';


--
-- Name: COLUMN robots_sites.version_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.robots_sites.version_id IS 'The version that the last good fetch saw; null: there was none.';


--
-- Name: COLUMN robots_sites.good_fetch; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.robots_sites.good_fetch IS 'That fetch: URL, redirects, headers, time.';


--
-- Name: COLUMN robots_sites.issues; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.robots_sites.issues IS 'The findings with the moment from which on each was there; 1,000 at most.';


--
-- Name: COLUMN robots_sites.issue_counts; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.robots_sites.issue_counts IS 'How many there are by severity, those beyond 1,000 included.';


--
-- Name: COLUMN robots_sites.sitemaps; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.robots_sites.sitemaps IS 'The sitemaps that the file names, as far as they were asked for.';


--
-- Name: COLUMN robots_sites.blocks_all; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.robots_sites.blocks_all IS 'Whether crawlers that no group names may not fetch the root; null: there was no check. Alert rules read it.';


--
-- Name: COLUMN robots_sites.blocks_googlebot; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.robots_sites.blocks_googlebot IS 'The same of Googlebot.';


--
-- Name: COLUMN robots_sites.failing_test_urls; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.robots_sites.failing_test_urls IS 'How many saved URLs are not as expected, as of the last check or change.';


--
-- Name: robots_test_urls; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.robots_test_urls (
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    "position" integer NOT NULL,
    url text NOT NULL,
    user_agent text NOT NULL,
    expectation text NOT NULL,
    CONSTRAINT robots_test_urls_expectation_check CHECK ((expectation = ANY (ARRAY['allowed'::text, 'disallowed'::text]))),
    CONSTRAINT robots_test_urls_position_check CHECK (("position" >= 0))
);


--
-- Name: TABLE robots_test_urls; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.robots_test_urls IS 'URLs of a site with what people expect its robots.txt to say of them.';


--
-- Name: COLUMN robots_test_urls."position"; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.robots_test_urls."position" IS 'Its place in the list that was sent, from 0.';


--
-- Name: robots_versions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.robots_versions (
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    detected_at timestamp with time zone NOT NULL,
    replaced_at timestamp with time zone,
    state text NOT NULL,
    status_code integer NOT NULL,
    content bytea,
    sha256 text NOT NULL,
    size_bytes integer NOT NULL,
    rules_added integer NOT NULL,
    rules_removed integer NOT NULL,
    groups_changed integer NOT NULL,
    sitemaps_changed integer NOT NULL,
    impact text NOT NULL,
    change_summary text NOT NULL,
    access_changes jsonb NOT NULL,
    issues jsonb NOT NULL,
    issues_added jsonb NOT NULL,
    issues_resolved jsonb NOT NULL,
    CONSTRAINT robots_versions_check CHECK ((detected_at <= replaced_at)),
    CONSTRAINT robots_versions_groups_changed_check CHECK ((groups_changed >= 0)),
    CONSTRAINT robots_versions_impact_check CHECK ((impact = ANY (ARRAY['none'::text, 'low'::text, 'high'::text]))),
    CONSTRAINT robots_versions_rules_added_check CHECK ((rules_added >= 0)),
    CONSTRAINT robots_versions_rules_removed_check CHECK ((rules_removed >= 0)),
    CONSTRAINT robots_versions_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text)),
    CONSTRAINT robots_versions_sitemaps_changed_check CHECK ((sitemaps_changed >= 0)),
    CONSTRAINT robots_versions_size_bytes_check CHECK ((size_bytes >= 0)),
    CONSTRAINT robots_versions_state_check CHECK ((state = ANY (ARRAY['ok'::text, 'missing'::text, 'redirected_off_host'::text, 'too_large'::text, 'html_instead'::text, 'empty'::text])))
);


--
-- Name: TABLE robots_versions; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.robots_versions IS 'Every robots.txt that a site had, whole, with what changed beside the one before it. Kept for as long as the domain.';


--
-- Name: COLUMN robots_versions.replaced_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.robots_versions.replaced_at IS 'When another was found; null: it is current.';


--
-- Name: COLUMN robots_versions.content; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.robots_versions.content IS 'The bytes that crawlers read, 500 KiB at most; null: there is no file.';


--
-- Name: COLUMN robots_versions.sha256; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.robots_versions.sha256 IS 'The digest of the content; that of nothing where there is no file.';


--
-- Name: COLUMN robots_versions.access_changes; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.robots_versions.access_changes IS 'Crawlers that lost or gained the root of the site.';


--
-- Name: COLUMN robots_versions.issues; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.robots_versions.issues IS 'The findings, as they were when it was found; 1,000 at most.';


--
-- Name: rum_beacons; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rum_beacons (
    domain_id uuid NOT NULL,
    beacon_id uuid NOT NULL,
    stored_at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: TABLE rum_beacons; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.rum_beacons IS 'The beacons of the last 48 hours, so that one which is sent again counts once.';


--
-- Name: rum_cls; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rum_cls (
    domain_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    load_id bigint NOT NULL,
    element integer,
    element_id integer,
    element_class integer,
    shift double precision,
    shift_at_ms double precision,
    load_state smallint
)
PARTITION BY RANGE (at);


--
-- Name: TABLE rum_cls; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.rum_cls IS 'The causes of the largest shifts of views.';


--
-- Name: rum_cls_default; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rum_cls_default (
    domain_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    load_id bigint NOT NULL,
    element integer,
    element_id integer,
    element_class integer,
    shift double precision,
    shift_at_ms double precision,
    load_state smallint
);


--
-- Name: TABLE rum_cls_default; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.rum_cls_default IS 'Causes of shifts of months that have no partition: a safety net, normally empty.';


--
-- Name: rum_daily; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rum_daily (
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
    ttfb_poor bigint NOT NULL
);


--
-- Name: TABLE rum_daily; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.rum_daily IS 'The sums of the views of each UTC day, by class of device.';


--
-- Name: COLUMN rum_daily.core_views; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.rum_daily.core_views IS 'Views with one core metric or more.';


--
-- Name: COLUMN rum_daily.good_views; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.rum_daily.good_views IS 'Those of them whose core metrics are all good.';


--
-- Name: COLUMN rum_daily.back_forwards; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.rum_daily.back_forwards IS 'Views by going back or forward, restored or loaded.';


--
-- Name: COLUMN rum_daily.lcp_good; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.rum_daily.lcp_good IS 'How many values of the metric lie in which band.';


--
-- Name: rum_engagements; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rum_engagements (
    domain_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    load_id bigint NOT NULL,
    visible_ms integer,
    scroll_pct smallint,
    interactions integer,
    rage_clicks integer,
    dead_clicks integer,
    tells_reasons boolean NOT NULL,
    CONSTRAINT rum_engagements_scroll_pct_check CHECK (((scroll_pct >= 0) AND (scroll_pct <= 100)))
)
PARTITION BY RANGE (at);


--
-- Name: TABLE rum_engagements; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.rum_engagements IS 'The engagement of people with views, and whether the browser says why a page was not restored.';


--
-- Name: COLUMN rum_engagements.tells_reasons; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.rum_engagements.tells_reasons IS 'Whether the browser says why a page was not restored from the back/forward cache.';


--
-- Name: rum_engagements_default; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rum_engagements_default (
    domain_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    load_id bigint NOT NULL,
    visible_ms integer,
    scroll_pct smallint,
    interactions integer,
    rage_clicks integer,
    dead_clicks integer,
    tells_reasons boolean NOT NULL,
    CONSTRAINT rum_engagements_scroll_pct_check CHECK (((scroll_pct >= 0) AND (scroll_pct <= 100)))
);


--
-- Name: TABLE rum_engagements_default; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.rum_engagements_default IS 'Engagement of months that have no partition: a safety net, normally empty.';


--
-- Name: rum_error_groups; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rum_error_groups (
    kind integer NOT NULL,
    id uuid DEFAULT gen_random_uuid() NOT NULL,
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
    first_seen_at timestamp with time zone NOT NULL,
    last_seen_at timestamp with time zone NOT NULL
);


--
-- Name: TABLE rum_error_groups; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.rum_error_groups IS 'Kinds of errors: one normalised message and top frame each, shown by the first of them.';


--
-- Name: COLUMN rum_error_groups.kind; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.rum_error_groups.kind IS 'The number of its key in rum_texts, whose bound bounds the kinds.';


--
-- Name: COLUMN rum_error_groups.last_seen_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.rum_error_groups.last_seen_at IS 'To within a minute.';


--
-- Name: rum_errors; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rum_errors (
    domain_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    load_id bigint NOT NULL,
    place smallint NOT NULL,
    kind integer NOT NULL,
    line bigint,
    column_number bigint
)
PARTITION BY RANGE (at);


--
-- Name: TABLE rum_errors; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.rum_errors IS 'Errors of scripts on views.';


--
-- Name: COLUMN rum_errors.kind; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.rum_errors.kind IS 'The kind, as in rum_error_groups.';


--
-- Name: rum_errors_default; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rum_errors_default (
    domain_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    load_id bigint NOT NULL,
    place smallint NOT NULL,
    kind integer NOT NULL,
    line bigint,
    column_number bigint
);


--
-- Name: TABLE rum_errors_default; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.rum_errors_default IS 'Errors of months that have no partition: a safety net, normally empty.';


--
-- Name: rum_frames; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rum_frames (
    domain_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    load_id bigint NOT NULL,
    place smallint NOT NULL,
    kind smallint NOT NULL,
    start_ms double precision NOT NULL,
    duration_ms double precision NOT NULL,
    blocking_ms double precision NOT NULL,
    style_layout_ms double precision
)
PARTITION BY RANGE (at);


--
-- Name: TABLE rum_frames; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.rum_frames IS 'Long tasks and long animation frames of views.';


--
-- Name: rum_frames_default; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rum_frames_default (
    domain_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    load_id bigint NOT NULL,
    place smallint NOT NULL,
    kind smallint NOT NULL,
    start_ms double precision NOT NULL,
    duration_ms double precision NOT NULL,
    blocking_ms double precision NOT NULL,
    style_layout_ms double precision
);


--
-- Name: TABLE rum_frames_default; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.rum_frames_default IS 'Frames of months that have no partition: a safety net, normally empty.';


--
-- Name: rum_hist; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rum_hist (
    domain_id uuid NOT NULL,
    metric smallint NOT NULL,
    day date NOT NULL,
    device smallint NOT NULL,
    bucket smallint NOT NULL,
    n bigint NOT NULL
);


--
-- Name: TABLE rum_hist; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.rum_hist IS 'How many views of each UTC day had a value of which bucket, for percentiles within 1 %.';


--
-- Name: COLUMN rum_hist.bucket; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.rum_hist.bucket IS 'The whole part of the logarithm of the value to the base 1.0199; the least number: nothing.';


--
-- Name: rum_inp; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rum_inp (
    domain_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
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
    forced_layout_ms double precision
)
PARTITION BY RANGE (at);


--
-- Name: TABLE rum_inp; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.rum_inp IS 'The causes of the slowest interactions of views.';


--
-- Name: COLUMN rum_inp.longest_ms; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.rum_inp.longest_ms IS 'How long the script ran within the interaction that took most of it; what precedes and follows is of it too.';


--
-- Name: rum_inp_default; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rum_inp_default (
    domain_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
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
    forced_layout_ms double precision
);


--
-- Name: TABLE rum_inp_default; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.rum_inp_default IS 'Causes of interactions of months that have no partition: a safety net, normally empty.';


--
-- Name: rum_lcp; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rum_lcp (
    domain_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
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
    is_preloaded boolean
)
PARTITION BY RANGE (at);


--
-- Name: TABLE rum_lcp; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.rum_lcp IS 'The causes of the largest contentful paints of views.';


--
-- Name: COLUMN rum_lcp.kind; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.rum_lcp.kind IS '0: an image, 1: text, 2: a frame of a video, 3: a background image, 4: not known.';


--
-- Name: COLUMN rum_lcp.load_delay_ms; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.rum_lcp.load_delay_ms IS 'Null, as all of the resource, for text.';


--
-- Name: rum_lcp_default; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rum_lcp_default (
    domain_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
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
    is_preloaded boolean
);


--
-- Name: TABLE rum_lcp_default; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.rum_lcp_default IS 'Causes of paints of months that have no partition: a safety net, normally empty.';


--
-- Name: rum_loads; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rum_loads (
    domain_id uuid NOT NULL,
    load_id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    revision integer NOT NULL,
    stored_at timestamp with time zone DEFAULT now() NOT NULL
)
WITH (fillfactor='70');


--
-- Name: TABLE rum_loads; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.rum_loads IS 'Page loads of which more may come, for 48 hours. Whoever stores a beacon of one locks its row: the highest revision stays.';


--
-- Name: COLUMN rum_loads.at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.rum_loads.at IS 'When it began, as its first beacon said: that of its rows in all tables.';


--
-- Name: rum_new_texts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rum_new_texts (
    domain_id uuid NOT NULL,
    dimension smallint NOT NULL,
    day date NOT NULL,
    made integer NOT NULL
);


--
-- Name: TABLE rum_new_texts; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.rum_new_texts IS 'How many texts a domain has added to the dictionary on a UTC day: beyond a bound they are all (other).';


--
-- Name: rum_progress; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rum_progress (
    domain_id uuid NOT NULL,
    first_at timestamp with time zone NOT NULL,
    last_at timestamp with time zone NOT NULL,
    rolled_until timestamp with time zone
)
WITH (fillfactor='70');


--
-- Name: TABLE rum_progress; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.rum_progress IS 'The days that were received of a domain, and how far they are rolled up. Its row is locked by whoever rolls up, and by whoever stores something of an earlier day.';


--
-- Name: COLUMN rum_progress.last_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.rum_progress.last_at IS 'When the last view began, to within a minute.';


--
-- Name: COLUMN rum_progress.rolled_until; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.rum_progress.rolled_until IS 'The beginning of a UTC day: everything before it is rolled up, nothing after it is read from roll-ups. Null: nothing is.';


--
-- Name: rum_reasons; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rum_reasons (
    domain_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    load_id bigint NOT NULL,
    place smallint NOT NULL,
    reason integer NOT NULL,
    kind smallint NOT NULL
)
PARTITION BY RANGE (at);


--
-- Name: TABLE rum_reasons; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.rum_reasons IS 'Why pages were not restored from the back/forward cache.';


--
-- Name: COLUMN rum_reasons.kind; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.rum_reasons.kind IS 'Whose fault it is: 0: the page''s, 1: that of a frame of another site, 2: not told.';


--
-- Name: rum_reasons_default; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rum_reasons_default (
    domain_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    load_id bigint NOT NULL,
    place smallint NOT NULL,
    reason integer NOT NULL,
    kind smallint NOT NULL
);


--
-- Name: TABLE rum_reasons_default; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.rum_reasons_default IS 'Reasons of months that have no partition: a safety net, normally empty.';


--
-- Name: rum_resources; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rum_resources (
    domain_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
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
    is_third_party boolean NOT NULL
)
PARTITION BY RANGE (at);


--
-- Name: TABLE rum_resources; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.rum_resources IS 'The resources that views loaded.';


--
-- Name: COLUMN rum_resources.dns_ms; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.rum_resources.dns_ms IS 'Null, as all parts and sizes, where the resource''s server does not let the page know.';


--
-- Name: rum_resources_default; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rum_resources_default (
    domain_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
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
    is_third_party boolean NOT NULL
);


--
-- Name: TABLE rum_resources_default; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.rum_resources_default IS 'Resources of months that have no partition: a safety net, normally empty.';


--
-- Name: rum_scripts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rum_scripts (
    domain_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    load_id bigint NOT NULL,
    place smallint NOT NULL,
    frame smallint NOT NULL,
    url integer,
    function integer,
    invoker integer,
    invoker_type smallint,
    duration_ms double precision NOT NULL,
    forced_layout_ms double precision NOT NULL,
    is_third_party boolean NOT NULL
)
PARTITION BY RANGE (at);


--
-- Name: TABLE rum_scripts; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.rum_scripts IS 'The scripts of long animation frames.';


--
-- Name: COLUMN rum_scripts.frame; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.rum_scripts.frame IS 'The place of its frame in rum_frames.';


--
-- Name: rum_scripts_default; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rum_scripts_default (
    domain_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    load_id bigint NOT NULL,
    place smallint NOT NULL,
    frame smallint NOT NULL,
    url integer,
    function integer,
    invoker integer,
    invoker_type smallint,
    duration_ms double precision NOT NULL,
    forced_layout_ms double precision NOT NULL,
    is_third_party boolean NOT NULL
);


--
-- Name: TABLE rum_scripts_default; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.rum_scripts_default IS 'Scripts of months that have no partition: a safety net, normally empty.';


--
-- Name: rum_server_timings; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rum_server_timings (
    domain_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    load_id bigint NOT NULL,
    place smallint NOT NULL,
    name integer NOT NULL,
    duration_ms double precision NOT NULL
)
PARTITION BY RANGE (at);


--
-- Name: TABLE rum_server_timings; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.rum_server_timings IS 'The times that servers told of themselves by Server-Timing.';


--
-- Name: rum_server_timings_default; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rum_server_timings_default (
    domain_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    load_id bigint NOT NULL,
    place smallint NOT NULL,
    name integer NOT NULL,
    duration_ms double precision NOT NULL
);


--
-- Name: TABLE rum_server_timings_default; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.rum_server_timings_default IS 'Timings of months that have no partition: a safety net, normally empty.';


--
-- Name: rum_sites; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rum_sites (
    domain_id uuid NOT NULL,
    settings jsonb NOT NULL,
    enabled boolean GENERATED ALWAYS AS (((settings -> 'enabled'::text))::boolean) STORED NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    updated_by uuid
);


--
-- Name: TABLE rum_sites; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.rum_sites IS 'The settings of real-user monitoring of a domain.';


--
-- Name: COLUMN rum_sites.enabled; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.rum_sites.enabled IS 'Read out of the settings.';


--
-- Name: COLUMN rum_sites.updated_by; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.rum_sites.updated_by IS 'Who changed the settings last; null: Pharos itself.';


--
-- Name: rum_texts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rum_texts (
    id integer NOT NULL,
    domain_id uuid NOT NULL,
    dimension smallint NOT NULL,
    value text NOT NULL,
    used_on date NOT NULL,
    CONSTRAINT rum_texts_value_check CHECK ((octet_length(value) <= 2000))
);


--
-- Name: TABLE rum_texts; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.rum_texts IS 'The dictionary: what stands for a text in views and what they told.';


--
-- Name: COLUMN rum_texts.dimension; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.rum_texts.dimension IS 'The dimension that it is a text of, as the crate numbers them.';


--
-- Name: COLUMN rum_texts.used_on; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.rum_texts.used_on IS 'When it was last used, to within a month: one that no view has any more is forgotten.';


--
-- Name: rum_texts_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.rum_texts ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.rum_texts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: rum_ttfb; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rum_ttfb (
    domain_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    load_id bigint NOT NULL,
    waiting_ms double precision,
    cache_ms double precision,
    dns_ms double precision,
    connection_ms double precision,
    request_ms double precision,
    redirects integer
)
PARTITION BY RANGE (at);


--
-- Name: TABLE rum_ttfb; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.rum_ttfb IS 'The parts of the time to first byte of views.';


--
-- Name: rum_ttfb_default; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rum_ttfb_default (
    domain_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    load_id bigint NOT NULL,
    waiting_ms double precision,
    cache_ms double precision,
    dns_ms double precision,
    connection_ms double precision,
    request_ms double precision,
    redirects integer
);


--
-- Name: TABLE rum_ttfb_default; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.rum_ttfb_default IS 'Parts of times of months that have no partition: a safety net, normally empty.';


--
-- Name: rum_views_default; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.rum_views_default (
    domain_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
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
    blocking_ms double precision
);


--
-- Name: TABLE rum_views_default; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.rum_views_default IS 'Views of months that have no partition: a safety net, normally empty.';


--
-- Name: runs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.runs (
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    kind text NOT NULL,
    status text NOT NULL,
    requested_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    result_seconds integer,
    expires_at timestamp with time zone,
    total_items integer,
    completed_items integer,
    failed_items integer,
    error_code text,
    error_detail text,
    requester_kind text NOT NULL,
    credential_id uuid NOT NULL,
    credits_charged integer NOT NULL,
    requested_items integer,
    CONSTRAINT runs_check CHECK (((status = ANY (ARRAY['queued'::text, 'running'::text])) = (finished_at IS NULL))),
    CONSTRAINT runs_check1 CHECK (((status <> 'running'::text) OR (started_at IS NOT NULL))),
    CONSTRAINT runs_check2 CHECK (((status <> 'expired'::text) OR (expires_at IS NOT NULL))),
    CONSTRAINT runs_completed_items_check CHECK ((completed_items >= 0)),
    CONSTRAINT runs_credits_charged_check CHECK ((credits_charged >= 0)),
    CONSTRAINT runs_failed_items_check CHECK ((failed_items >= 0)),
    CONSTRAINT runs_kind_check CHECK ((kind <> ''::text)),
    CONSTRAINT runs_requested_items_check CHECK ((requested_items >= 0)),
    CONSTRAINT runs_result_seconds_check CHECK ((result_seconds > 0)),
    CONSTRAINT runs_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'succeeded'::text, 'partial'::text, 'failed'::text, 'canceled'::text, 'expired'::text]))),
    CONSTRAINT runs_total_items_check CHECK ((total_items >= 0))
)
WITH (fillfactor='70');


--
-- Name: TABLE runs; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.runs IS 'Work that callers asked for, and how far it is. Written in the transaction that charges it, with its jobs; a trigger on jobs moves it on. Kept 12 months after its end.';


--
-- Name: COLUMN runs.kind; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.runs.kind IS 'The work that it does. Kinds come with the versions of Pharos, so no CHECK.';


--
-- Name: COLUMN runs.status; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.runs.status IS 'All but queued and running are final, except that what has a result expires.';


--
-- Name: COLUMN runs.started_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.runs.started_at IS 'When the first of its jobs began.';


--
-- Name: COLUMN runs.finished_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.runs.finished_at IS 'When the last of its jobs was over, or it was canceled; no later than about 30 days after it was asked for.';


--
-- Name: COLUMN runs.result_seconds; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.runs.result_seconds IS 'How long its result is kept once it is there; null: with the other data of its module.';


--
-- Name: COLUMN runs.expires_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.runs.expires_at IS 'When its result is no longer kept.';


--
-- Name: COLUMN runs.total_items; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.runs.total_items IS 'How many items it has: those that it was asked for with, or those of its jobs. Null: it has none.';


--
-- Name: COLUMN runs.error_code; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.runs.error_code IS 'Why it failed, or a part of it: the suffix of a problem.';


--
-- Name: COLUMN runs.error_detail; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.runs.error_detail IS 'The same in words, for the caller.';


--
-- Name: COLUMN runs.credential_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.runs.credential_id IS 'Who asked for it. No foreign key: a run outlives its credential.';


--
-- Name: COLUMN runs.requested_items; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.runs.requested_items IS 'How many items it was asked for with; null: its jobs find that out.';


--
-- Name: schema_functions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.schema_functions (
    name text NOT NULL,
    digest bytea NOT NULL,
    CONSTRAINT schema_functions_digest_check CHECK ((octet_length(digest) = 32))
);


--
-- Name: TABLE schema_functions; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.schema_functions IS 'The files of SQL functions and triggers that were applied. One whose text has another digest is applied anew.';


--
-- Name: COLUMN schema_functions.name; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.schema_functions.name IS 'The file''s name, without its ending.';


--
-- Name: COLUMN schema_functions.digest; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.schema_functions.digest IS 'SHA-256 of the file.';


--
-- Name: search_accounts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.search_accounts (
    id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    kind text NOT NULL,
    label text NOT NULL,
    sealed bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    created_by uuid,
    CONSTRAINT search_accounts_kind_check CHECK ((kind = ANY (ARRAY['oauth'::text, 'service_account'::text]))),
    CONSTRAINT search_accounts_label_check CHECK (((label <> ''::text) AND (octet_length(label) <= 500)))
);


--
-- Name: TABLE search_accounts; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.search_accounts IS 'Accounts at Google by which workspaces read their properties.';


--
-- Name: COLUMN search_accounts.label; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.search_accounts.label IS 'Its name for people: an address.';


--
-- Name: COLUMN search_accounts.sealed; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.search_accounts.sealed IS 'The secret that proves who it is, encrypted with the shared secret search_accounts: one byte for the form, 12 of the nonce, then AES-256-GCM over the id and it.';


--
-- Name: COLUMN search_accounts.created_by; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.search_accounts.created_by IS 'Who linked it; null: the command line.';


--
-- Name: search_appearances; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.search_appearances (
    domain_id uuid NOT NULL,
    search_type smallint NOT NULL,
    date date NOT NULL,
    appearance_id bigint NOT NULL,
    page_id bigint NOT NULL,
    clicks bigint NOT NULL,
    impressions bigint NOT NULL,
    position_sum double precision NOT NULL
)
PARTITION BY RANGE (date);


--
-- Name: TABLE search_appearances; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.search_appearances IS 'Days by the look of the result and page, counted by page.';


--
-- Name: search_appearances_default; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.search_appearances_default (
    domain_id uuid NOT NULL,
    search_type smallint NOT NULL,
    date date NOT NULL,
    appearance_id bigint NOT NULL,
    page_id bigint NOT NULL,
    clicks bigint NOT NULL,
    impressions bigint NOT NULL,
    position_sum double precision NOT NULL
);


--
-- Name: TABLE search_appearances_default; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.search_appearances_default IS 'Days of months that have no partition.';


--
-- Name: search_configs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.search_configs (
    domain_id uuid NOT NULL,
    settings jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    updated_by uuid
);


--
-- Name: TABLE search_configs; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.search_configs IS 'The settings of a domain''s search: brand, search types, what analyses leave out.';


--
-- Name: COLUMN search_configs.updated_by; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.search_configs.updated_by IS 'Who changed them last; null: Pharos itself.';


--
-- Name: search_days; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.search_days (
    domain_id uuid NOT NULL,
    search_type smallint NOT NULL,
    date date NOT NULL,
    is_final boolean NOT NULL,
    clicks bigint NOT NULL,
    impressions bigint NOT NULL,
    position_sum double precision NOT NULL,
    imported_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT search_days_clicks_check CHECK ((clicks >= 0)),
    CONSTRAINT search_days_impressions_check CHECK ((impressions >= 0))
);


--
-- Name: TABLE search_days; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.search_days IS 'A row for each day on which the property had anything in a search type: its totals, counted by property.';


--
-- Name: search_hours; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.search_hours (
    domain_id uuid NOT NULL,
    search_type smallint NOT NULL,
    hour timestamp with time zone NOT NULL,
    clicks bigint NOT NULL,
    impressions bigint NOT NULL,
    position_sum double precision NOT NULL
);


--
-- Name: TABLE search_hours; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.search_hours IS 'The last ten days by hour; none of them is final.';


--
-- Name: search_imports; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.search_imports (
    domain_id uuid NOT NULL,
    site_url text NOT NULL,
    search_type smallint NOT NULL,
    reached date NOT NULL
);


--
-- Name: TABLE search_imports; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.search_imports IS 'How far back each search type of a property was imported.';


--
-- Name: COLUMN search_imports.reached; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.search_imports.reached IS 'The oldest day that was imported, with all after it.';


--
-- Name: search_month_sums; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.search_month_sums (
    domain_id uuid NOT NULL,
    search_type smallint NOT NULL,
    kind smallint NOT NULL,
    month date NOT NULL,
    value_id bigint NOT NULL,
    clicks bigint NOT NULL,
    impressions bigint NOT NULL,
    position_sum double precision NOT NULL,
    CONSTRAINT search_month_sums_kind_check CHECK ((kind = ANY (ARRAY[1, 2]))),
    CONSTRAINT search_month_sums_month_check CHECK ((EXTRACT(day FROM month) = (1)::numeric))
);


--
-- Name: TABLE search_month_sums; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.search_month_sums IS 'The same of the months in search_months.';


--
-- Name: search_months; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.search_months (
    domain_id uuid NOT NULL,
    search_type smallint NOT NULL,
    month date NOT NULL,
    summed_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT search_months_month_check CHECK ((EXTRACT(day FROM month) = (1)::numeric))
);


--
-- Name: TABLE search_months; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.search_months IS 'The months whose sums are those of their days. A day that is imported anew takes its month out.';


--
-- Name: search_pages; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.search_pages (
    domain_id uuid NOT NULL,
    search_type smallint NOT NULL,
    date date NOT NULL,
    page_id bigint NOT NULL,
    country text NOT NULL,
    device smallint NOT NULL,
    clicks bigint NOT NULL,
    impressions bigint NOT NULL,
    position_sum double precision NOT NULL,
    CONSTRAINT search_pages_country_check CHECK ((country ~ '^[A-Z]{2}$'::text)),
    CONSTRAINT search_pages_device_check CHECK (((device >= 0) AND (device <= 3)))
)
PARTITION BY RANGE (date);


--
-- Name: TABLE search_pages; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.search_pages IS 'Days by page, country and device, counted by page.';


--
-- Name: search_pages_default; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.search_pages_default (
    domain_id uuid NOT NULL,
    search_type smallint NOT NULL,
    date date NOT NULL,
    page_id bigint NOT NULL,
    country text NOT NULL,
    device smallint NOT NULL,
    clicks bigint NOT NULL,
    impressions bigint NOT NULL,
    position_sum double precision NOT NULL,
    CONSTRAINT search_pages_country_check CHECK ((country ~ '^[A-Z]{2}$'::text)),
    CONSTRAINT search_pages_device_check CHECK (((device >= 0) AND (device <= 3)))
);


--
-- Name: TABLE search_pages_default; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.search_pages_default IS 'Days of months that have no partition.';


--
-- Name: search_pairs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.search_pairs (
    domain_id uuid NOT NULL,
    search_type smallint NOT NULL,
    date date NOT NULL,
    query_id bigint NOT NULL,
    page_id bigint NOT NULL,
    country text NOT NULL,
    device smallint NOT NULL,
    clicks bigint NOT NULL,
    impressions bigint NOT NULL,
    position_sum double precision NOT NULL,
    CONSTRAINT search_pairs_country_check CHECK ((country ~ '^[A-Z]{2}$'::text)),
    CONSTRAINT search_pairs_device_check CHECK (((device >= 0) AND (device <= 3)))
)
PARTITION BY RANGE (date);


--
-- Name: TABLE search_pairs; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.search_pairs IS 'Days by query, page, country and device, counted by page. Rare queries are not told by the upstream.';


--
-- Name: search_pairs_default; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.search_pairs_default (
    domain_id uuid NOT NULL,
    search_type smallint NOT NULL,
    date date NOT NULL,
    query_id bigint NOT NULL,
    page_id bigint NOT NULL,
    country text NOT NULL,
    device smallint NOT NULL,
    clicks bigint NOT NULL,
    impressions bigint NOT NULL,
    position_sum double precision NOT NULL,
    CONSTRAINT search_pairs_country_check CHECK ((country ~ '^[A-Z]{2}$'::text)),
    CONSTRAINT search_pairs_device_check CHECK (((device >= 0) AND (device <= 3)))
);


--
-- Name: TABLE search_pairs_default; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.search_pairs_default IS 'Days of months that have no partition.';


--
-- Name: search_places; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.search_places (
    domain_id uuid NOT NULL,
    search_type smallint NOT NULL,
    date date NOT NULL,
    country text NOT NULL,
    device smallint NOT NULL,
    clicks bigint NOT NULL,
    impressions bigint NOT NULL,
    position_sum double precision NOT NULL,
    CONSTRAINT search_places_country_check CHECK ((country ~ '^[A-Z]{2}$'::text)),
    CONSTRAINT search_places_device_check CHECK (((device >= 0) AND (device <= 3)))
)
PARTITION BY RANGE (date);


--
-- Name: TABLE search_places; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.search_places IS 'Days by country and device, counted by property.';


--
-- Name: COLUMN search_places.country; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.search_places.country IS 'ISO 3166-1 alpha-2; ZZ: unknown.';


--
-- Name: COLUMN search_places.device; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.search_places.device IS '1: desktop. 2: mobile. 3: tablet. 0: the upstream does not tell.';


--
-- Name: search_places_default; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.search_places_default (
    domain_id uuid NOT NULL,
    search_type smallint NOT NULL,
    date date NOT NULL,
    country text NOT NULL,
    device smallint NOT NULL,
    clicks bigint NOT NULL,
    impressions bigint NOT NULL,
    position_sum double precision NOT NULL,
    CONSTRAINT search_places_country_check CHECK ((country ~ '^[A-Z]{2}$'::text)),
    CONSTRAINT search_places_device_check CHECK (((device >= 0) AND (device <= 3)))
);


--
-- Name: TABLE search_places_default; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.search_places_default IS 'Days of months that have no partition.';


--
-- Name: search_properties; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.search_properties (
    domain_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    site_url text NOT NULL,
    permission text NOT NULL,
    status text NOT NULL,
    search_types text[] DEFAULT '{web}'::text[] NOT NULL,
    linked_at timestamp with time zone NOT NULL,
    linked_by uuid,
    last_sync_at timestamp with time zone,
    last_sync_status text,
    data_through date,
    provisional_through date,
    first_incomplete_date date,
    first_incomplete_hour timestamp with time zone,
    backfill_from date,
    account_id uuid,
    next_sync_at timestamp with time zone DEFAULT now() NOT NULL,
    newest_due_at timestamp with time zone DEFAULT now() NOT NULL,
    leased_until timestamp with time zone,
    sync_failures integer DEFAULT 0 NOT NULL,
    last_failure text,
    CONSTRAINT search_properties_check CHECK (((last_sync_at IS NULL) = (last_sync_status IS NULL))),
    CONSTRAINT search_properties_last_sync_status_check CHECK ((last_sync_status = ANY (ARRAY['succeeded'::text, 'partial'::text, 'failed'::text]))),
    CONSTRAINT search_properties_permission_check CHECK ((permission = ANY (ARRAY['owner'::text, 'full_user'::text, 'restricted_user'::text, 'unverified_user'::text]))),
    CONSTRAINT search_properties_site_url_check CHECK ((octet_length(site_url) <= 2000)),
    CONSTRAINT search_properties_status_check CHECK ((status = ANY (ARRAY['connected'::text, 'reauthorization_required'::text, 'permission_lost'::text, 'pending'::text]))),
    CONSTRAINT search_properties_sync_failures_check CHECK ((sync_failures >= 0))
);


--
-- Name: TABLE search_properties; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.search_properties IS 'The property of Search Console that a domain is linked to, and how far it is imported.';


--
-- Name: COLUMN search_properties.site_url; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.search_properties.site_url IS 'Its name at the upstream: sc-domain:ada.example or https://ada.example/.';


--
-- Name: COLUMN search_properties.linked_by; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.search_properties.linked_by IS 'Who linked it; null: the command line.';


--
-- Name: COLUMN search_properties.data_through; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.search_properties.data_through IS 'The newest day whose figures are final; null: none was imported.';


--
-- Name: COLUMN search_properties.provisional_through; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.search_properties.provisional_through IS 'The newest day with figures that may still change.';


--
-- Name: COLUMN search_properties.backfill_from; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.search_properties.backfill_from IS 'The oldest day that was imported.';


--
-- Name: COLUMN search_properties.account_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.search_properties.account_id IS 'The account that reads it; null: none does, and nothing is imported.';


--
-- Name: COLUMN search_properties.next_sync_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.search_properties.next_sync_at IS 'When anything of it is due: the newest days, or a piece of the past.';


--
-- Name: COLUMN search_properties.newest_due_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.search_properties.newest_due_at IS 'When the newest days are due.';


--
-- Name: COLUMN search_properties.leased_until; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.search_properties.leased_until IS 'Until then one node alone imports, and this moment is its claim; a node that dies loses it then. Null: nobody imports.';


--
-- Name: COLUMN search_properties.sync_failures; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.search_properties.sync_failures IS 'How often in a row imports failed.';


--
-- Name: COLUMN search_properties.last_failure; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.search_properties.last_failure IS 'Why the last import was not whole; null: it was.';


--
-- Name: search_queries; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.search_queries (
    domain_id uuid NOT NULL,
    search_type smallint NOT NULL,
    date date NOT NULL,
    query_id bigint NOT NULL,
    country text NOT NULL,
    device smallint NOT NULL,
    clicks bigint NOT NULL,
    impressions bigint NOT NULL,
    position_sum double precision NOT NULL,
    CONSTRAINT search_queries_country_check CHECK ((country ~ '^[A-Z]{2}$'::text)),
    CONSTRAINT search_queries_device_check CHECK (((device >= 0) AND (device <= 3)))
)
PARTITION BY RANGE (date);


--
-- Name: TABLE search_queries; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.search_queries IS 'Days by query, country and device, counted by property. Rare queries are not told by the upstream.';


--
-- Name: search_queries_default; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.search_queries_default (
    domain_id uuid NOT NULL,
    search_type smallint NOT NULL,
    date date NOT NULL,
    query_id bigint NOT NULL,
    country text NOT NULL,
    device smallint NOT NULL,
    clicks bigint NOT NULL,
    impressions bigint NOT NULL,
    position_sum double precision NOT NULL,
    CONSTRAINT search_queries_country_check CHECK ((country ~ '^[A-Z]{2}$'::text)),
    CONSTRAINT search_queries_device_check CHECK (((device >= 0) AND (device <= 3)))
);


--
-- Name: TABLE search_queries_default; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.search_queries_default IS 'Days of months that have no partition.';


--
-- Name: search_submitted_sitemaps; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.search_submitted_sitemaps (
    domain_id uuid NOT NULL,
    site_url text NOT NULL,
    path text NOT NULL,
    form text,
    is_index boolean NOT NULL,
    is_pending boolean NOT NULL,
    last_submitted_at timestamp with time zone,
    last_downloaded_at timestamp with time zone,
    errors bigint NOT NULL,
    warnings bigint NOT NULL,
    contents jsonb NOT NULL,
    CONSTRAINT search_submitted_sitemaps_errors_check CHECK ((errors >= 0)),
    CONSTRAINT search_submitted_sitemaps_form_check CHECK ((octet_length(form) <= 100)),
    CONSTRAINT search_submitted_sitemaps_path_check CHECK ((octet_length(path) <= 2600)),
    CONSTRAINT search_submitted_sitemaps_site_url_check CHECK ((octet_length(site_url) <= 2000)),
    CONSTRAINT search_submitted_sitemaps_warnings_check CHECK ((warnings >= 0))
);


--
-- Name: TABLE search_submitted_sitemaps; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.search_submitted_sitemaps IS 'The sitemaps that were submitted for the property of a domain, as the upstream told them last.';


--
-- Name: COLUMN search_submitted_sitemaps.site_url; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.search_submitted_sitemaps.site_url IS 'The property that it was told of.';


--
-- Name: COLUMN search_submitted_sitemaps.form; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.search_submitted_sitemaps.form IS 'Its form in the words of the upstream; null: the upstream does not say.';


--
-- Name: COLUMN search_submitted_sitemaps.contents; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.search_submitted_sitemaps.contents IS 'Pairs: a kind of entries in the words of the upstream, and how many were submitted.';


--
-- Name: search_sums; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.search_sums (
    domain_id uuid NOT NULL,
    search_type smallint NOT NULL,
    kind smallint NOT NULL,
    date date NOT NULL,
    value_id bigint NOT NULL,
    clicks bigint NOT NULL,
    impressions bigint NOT NULL,
    position_sum double precision NOT NULL,
    CONSTRAINT search_sums_kind_check CHECK ((kind = ANY (ARRAY[1, 2])))
)
PARTITION BY RANGE (date);


--
-- Name: TABLE search_sums; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.search_sums IS 'Days by query and by page over all places: what lists without a filter read.';


--
-- Name: COLUMN search_sums.kind; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.search_sums.kind IS '1: queries, counted by property. 2: pages, counted by page.';


--
-- Name: search_sums_default; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.search_sums_default (
    domain_id uuid NOT NULL,
    search_type smallint NOT NULL,
    kind smallint NOT NULL,
    date date NOT NULL,
    value_id bigint NOT NULL,
    clicks bigint NOT NULL,
    impressions bigint NOT NULL,
    position_sum double precision NOT NULL,
    CONSTRAINT search_sums_kind_check CHECK ((kind = ANY (ARRAY[1, 2])))
);


--
-- Name: TABLE search_sums_default; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.search_sums_default IS 'Sums of months that have no partition.';


--
-- Name: search_values; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.search_values (
    id bigint NOT NULL,
    domain_id uuid NOT NULL,
    kind smallint NOT NULL,
    value text NOT NULL,
    last_month date DEFAULT (date_trunc('month'::text, (now() AT TIME ZONE 'UTC'::text)))::date NOT NULL,
    CONSTRAINT search_values_kind_check CHECK ((kind = ANY (ARRAY[1, 2, 3]))),
    CONSTRAINT search_values_last_month_check CHECK ((EXTRACT(day FROM last_month) = (1)::numeric)),
    CONSTRAINT search_values_value_check CHECK ((octet_length(value) <= 2600))
);


--
-- Name: TABLE search_values; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.search_values IS 'The dictionary: queries, pages and looks of results, for which rows have a number. A value is forgotten with its last day.';


--
-- Name: COLUMN search_values.kind; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.search_values.kind IS '1: a query. 2: a page. 3: a look.';


--
-- Name: COLUMN search_values.last_month; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.search_values.last_month IS 'The last month that has a day on which it was seen, or a later one.';


--
-- Name: search_values_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.search_values ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.search_values_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: second_factors; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.second_factors (
    user_id uuid NOT NULL,
    secret bytea NOT NULL,
    made_at timestamp with time zone NOT NULL,
    confirmed_at timestamp with time zone,
    last_step bigint NOT NULL,
    begun_by bytea,
    CONSTRAINT second_factors_begun_by_check CHECK ((octet_length(begun_by) = 32)),
    CONSTRAINT second_factors_last_step_check CHECK ((last_step >= 0))
);


--
-- Name: TABLE second_factors; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.second_factors IS 'Secrets by which the apps of users make codes that go by the time (RFC 6238).';


--
-- Name: COLUMN second_factors.secret; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.second_factors.secret IS 'In base32, sealed by the installation''s secret_key.';


--
-- Name: COLUMN second_factors.confirmed_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.second_factors.confirmed_at IS 'When a first code showed that an app has it, from when on sign-ins ask for codes; null: not yet.';


--
-- Name: COLUMN second_factors.last_step; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.second_factors.last_step IS 'The step of the last code that was taken, in 30 seconds since 1970: none up to it is taken again.';


--
-- Name: COLUMN second_factors.begun_by; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.second_factors.begun_by IS 'The digest of the session that began it, which alone is shown the secret and confirms it; it may have ended. Null: none.';


--
-- Name: sessions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sessions (
    digest bytea NOT NULL,
    user_id uuid NOT NULL,
    signed_in_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone NOT NULL,
    CONSTRAINT sessions_digest_check CHECK ((octet_length(digest) = 32))
)
WITH (fillfactor='80');


--
-- Name: TABLE sessions; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.sessions IS 'Users who have signed in.';


--
-- Name: COLUMN sessions.digest; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sessions.digest IS 'SHA-256 of the cookie''s secret, which itself is stored nowhere.';


--
-- Name: COLUMN sessions.last_used_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sessions.last_used_at IS 'Written at most once a minute.';


--
-- Name: set_aside; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.set_aside (
    kind text NOT NULL,
    subject text NOT NULL,
    reason text NOT NULL,
    payload text,
    first_at timestamp with time zone DEFAULT now() NOT NULL,
    last_at timestamp with time zone DEFAULT now() NOT NULL,
    times bigint DEFAULT 1 NOT NULL,
    CONSTRAINT set_aside_kind_check CHECK ((kind <> ''::text))
);


--
-- Name: TABLE set_aside; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.set_aside IS 'Things that could not be stored or read, set aside so that all else goes on. One row for each thing, however often it happens; kept 30 days after the last time. `pharos doctor` shows it.';


--
-- Name: COLUMN set_aside.kind; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.set_aside.kind IS 'The kind of thing. Kinds come with the versions of Pharos, so no CHECK.';


--
-- Name: COLUMN set_aside.subject; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.set_aside.subject IS 'The thing, or what it belongs to: its id; of a check the domain and the region.';


--
-- Name: COLUMN set_aside.reason; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.set_aside.reason IS 'Why, the last time.';


--
-- Name: COLUMN set_aside.payload; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.set_aside.payload IS 'The beginning of what could not be stored, the last time. Null: it could not be read, and lies where it was.';


--
-- Name: COLUMN set_aside.times; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.set_aside.times IS 'How often.';


--
-- Name: shared_secrets; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.shared_secrets (
    name text NOT NULL,
    value bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT shared_secrets_name_check CHECK ((name <> ''::text)),
    CONSTRAINT shared_secrets_value_check CHECK ((octet_length(value) = 32))
);


--
-- Name: TABLE shared_secrets; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.shared_secrets IS 'Random secrets that all nodes of an installation share, made by the first that asks.';


--
-- Name: COLUMN shared_secrets.name; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.shared_secrets.name IS 'The purpose of the secret.';


--
-- Name: COLUMN shared_secrets.value; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.shared_secrets.value IS '256 random bits.';


--
-- Name: sign_in_links; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sign_in_links (
    digest bytea NOT NULL,
    user_id uuid NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT sign_in_links_digest_check CHECK ((octet_length(digest) = 32))
);


--
-- Name: TABLE sign_in_links; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.sign_in_links IS 'Links by which users set a password: one a user, for one use.';


--
-- Name: COLUMN sign_in_links.digest; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sign_in_links.digest IS 'SHA-256 of the link''s secret, which itself is stored nowhere.';


--
-- Name: sitemap_changes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sitemap_changes (
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    changed_at timestamp with time zone NOT NULL,
    change text NOT NULL,
    url text NOT NULL,
    file_id uuid NOT NULL,
    before text,
    after text,
    CONSTRAINT sitemap_changes_change_check CHECK ((change = ANY (ARRAY['added'::text, 'removed'::text, 'lastmod_changed'::text, 'moved_file'::text])))
)
PARTITION BY RANGE (changed_at);


--
-- Name: TABLE sitemap_changes; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.sitemap_changes IS 'Pages that came, went, moved to another file, or have another date.';


--
-- Name: COLUMN sitemap_changes.before; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sitemap_changes.before IS 'The date, or the id of the file, before; null: there was none, or it is of no such kind.';


--
-- Name: COLUMN sitemap_changes.after; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sitemap_changes.after IS 'The same after.';


--
-- Name: sitemap_changes_default; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sitemap_changes_default (
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    changed_at timestamp with time zone NOT NULL,
    change text NOT NULL,
    url text NOT NULL,
    file_id uuid NOT NULL,
    before text,
    after text,
    CONSTRAINT sitemap_changes_change_check CHECK ((change = ANY (ARRAY['added'::text, 'removed'::text, 'lastmod_changed'::text, 'moved_file'::text])))
);


--
-- Name: TABLE sitemap_changes_default; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.sitemap_changes_default IS 'Changes of months that have no partition: a safety net, normally empty.';


--
-- Name: sitemap_checks; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sitemap_checks (
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    file_id uuid NOT NULL,
    checked_at timestamp with time zone NOT NULL,
    run_id uuid,
    status_code integer,
    entries bigint,
    urls_added bigint,
    urls_removed bigint,
    response_ms double precision,
    error_class text,
    CONSTRAINT sitemap_checks_entries_check CHECK ((entries >= 0)),
    CONSTRAINT sitemap_checks_urls_added_check CHECK ((urls_added >= 0)),
    CONSTRAINT sitemap_checks_urls_removed_check CHECK ((urls_removed >= 0))
)
PARTITION BY RANGE (checked_at);


--
-- Name: TABLE sitemap_checks; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.sitemap_checks IS 'Every fetch of a sitemap file. The primary key, read backwards, serves lists that begin with the newest.';


--
-- Name: COLUMN sitemap_checks.run_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sitemap_checks.run_id IS 'The run that asked for it; null: the schedule.';


--
-- Name: COLUMN sitemap_checks.error_class; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sitemap_checks.error_class IS 'Why there was no answer, from a closed list that grows with the fetch; so no CHECK. Null: there was one.';


--
-- Name: sitemap_checks_default; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sitemap_checks_default (
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    file_id uuid NOT NULL,
    checked_at timestamp with time zone NOT NULL,
    run_id uuid,
    status_code integer,
    entries bigint,
    urls_added bigint,
    urls_removed bigint,
    response_ms double precision,
    error_class text,
    CONSTRAINT sitemap_checks_entries_check CHECK ((entries >= 0)),
    CONSTRAINT sitemap_checks_urls_added_check CHECK ((urls_added >= 0)),
    CONSTRAINT sitemap_checks_urls_removed_check CHECK ((urls_removed >= 0))
);


--
-- Name: TABLE sitemap_checks_default; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.sitemap_checks_default IS 'Checks of months that have no partition: a safety net, normally empty.';


--
-- Name: sitemap_conflicts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sitemap_conflicts (
    domain_id uuid NOT NULL,
    crawler text NOT NULL,
    url_key uuid NOT NULL,
    url text NOT NULL,
    file_id uuid NOT NULL,
    line integer NOT NULL,
    kind text NOT NULL,
    path text NOT NULL,
    first_seen_at timestamp with time zone NOT NULL,
    computed_at timestamp with time zone NOT NULL,
    CONSTRAINT sitemap_conflicts_kind_check CHECK ((kind = ANY (ARRAY['allow'::text, 'disallow'::text]))),
    CONSTRAINT sitemap_conflicts_line_check CHECK ((line >= 1))
);


--
-- Name: TABLE sitemap_conflicts; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.sitemap_conflicts IS 'Pages of sitemaps that robots.txt keeps a crawler from, the first 10,000 of a crawler.';


--
-- Name: COLUMN sitemap_conflicts.crawler; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sitemap_conflicts.crawler IS 'The name by which a group speaks to the crawler, in small letters; * for those that no group names. Crawlers that obey the
same groups have the rows of the first of them.';


--
-- Name: COLUMN sitemap_conflicts.computed_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sitemap_conflicts.computed_at IS 'When it was last found so.';


--
-- Name: sitemap_files; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sitemap_files (
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    url text NOT NULL,
    url_key uuid NOT NULL,
    parent_id uuid,
    parent_missed_at timestamp with time zone,
    in_robots boolean DEFAULT false NOT NULL,
    robots_missed_at timestamp with time zone,
    is_manual boolean DEFAULT false NOT NULL,
    is_default boolean DEFAULT false NOT NULL,
    depth integer NOT NULL,
    found_at timestamp with time zone NOT NULL,
    kind text DEFAULT 'unknown'::text NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    status_code integer,
    entries bigint,
    size_bytes bigint,
    uncompressed_bytes bigint,
    is_gzip boolean,
    index_lastmod timestamp with time zone,
    newest_lastmod timestamp with time zone,
    fetched_at timestamp with time zone,
    changed_at timestamp with time zone,
    good_at timestamp with time zone,
    response_ms double precision,
    failures integer DEFAULT 0 NOT NULL,
    over_limits boolean DEFAULT false NOT NULL,
    validators jsonb,
    sha256 text,
    stopped_at timestamp with time zone,
    is_forgotten boolean DEFAULT false NOT NULL,
    removed_at timestamp with time zone,
    CONSTRAINT sitemap_files_check CHECK (((stopped_at IS NULL) OR (removed_at IS NOT NULL))),
    CONSTRAINT sitemap_files_check1 CHECK (((NOT is_forgotten) OR (removed_at IS NOT NULL))),
    CONSTRAINT sitemap_files_depth_check CHECK ((depth >= 1)),
    CONSTRAINT sitemap_files_entries_check CHECK ((entries >= 0)),
    CONSTRAINT sitemap_files_failures_check CHECK ((failures >= 0)),
    CONSTRAINT sitemap_files_kind_check CHECK ((kind = ANY (ARRAY['urlset'::text, 'sitemap_index'::text, 'rss'::text, 'atom'::text, 'text'::text, 'unknown'::text]))),
    CONSTRAINT sitemap_files_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text)),
    CONSTRAINT sitemap_files_size_bytes_check CHECK ((size_bytes >= 0)),
    CONSTRAINT sitemap_files_status_check CHECK ((status = ANY (ARRAY['ok'::text, 'error'::text, 'unreachable'::text, 'not_modified'::text, 'invalid'::text, 'gone'::text, 'pending'::text]))),
    CONSTRAINT sitemap_files_uncompressed_bytes_check CHECK ((uncompressed_bytes >= 0))
)
WITH (fillfactor='70');


--
-- Name: TABLE sitemap_files; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.sitemap_files IS 'The sitemap files of a site: named by robots.txt, by an index, by people, or found at the usual path.';


--
-- Name: COLUMN sitemap_files.url_key; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sitemap_files.url_key IS 'The first 128 bits of the SHA-256 of the URL: by this it is known, since indexes take no long texts.';


--
-- Name: COLUMN sitemap_files.parent_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sitemap_files.parent_id IS 'The index that names it; null: none does.';


--
-- Name: COLUMN sitemap_files.parent_missed_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sitemap_files.parent_missed_at IS 'When the index did not name it any more; once that is so twice in a row, it is gone. Null: the index names it.';


--
-- Name: COLUMN sitemap_files.robots_missed_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sitemap_files.robots_missed_at IS 'The same of robots.txt.';


--
-- Name: COLUMN sitemap_files.depth; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sitemap_files.depth IS '1 for a file that no index names, 2 for one of an index, 3 for one of an index in an index.';


--
-- Name: COLUMN sitemap_files.entries; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sitemap_files.entries IS 'How many entries it has, those beyond 50,000 included; null: it was never read.';


--
-- Name: COLUMN sitemap_files.good_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sitemap_files.good_at IS 'When it was last read whole, or was found to be what it was; null: never.';


--
-- Name: COLUMN sitemap_files.failures; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sitemap_files.failures IS 'How many fetches in a row failed.';


--
-- Name: COLUMN sitemap_files.validators; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sitemap_files.validators IS 'The URL and the headers of the last good fetch, by which the next one is conditional.';


--
-- Name: COLUMN sitemap_files.sha256; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sitemap_files.sha256 IS 'The digest of the bytes of the last good fetch, as they were sent.';


--
-- Name: COLUMN sitemap_files.stopped_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sitemap_files.stopped_at IS 'When people asked to watch it no longer; nothing finds it anew. Null: they did not.';


--
-- Name: COLUMN sitemap_files.is_forgotten; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sitemap_files.is_forgotten IS 'Whether it went because people stopped it, or the index that names it: its pages are forgotten then, and have not left the site.';


--
-- Name: COLUMN sitemap_files.removed_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sitemap_files.removed_at IS 'Since when nothing names it; null: it is watched.';


--
-- Name: sitemap_issues; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sitemap_issues (
    file_id uuid NOT NULL,
    code text NOT NULL,
    domain_id uuid NOT NULL,
    count bigint NOT NULL,
    examples jsonb NOT NULL,
    first_seen_at timestamp with time zone NOT NULL,
    CONSTRAINT sitemap_issues_count_check CHECK ((count > 0))
);


--
-- Name: TABLE sitemap_issues; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.sitemap_issues IS 'The findings about sitemap files, a row a file and kind.';


--
-- Name: COLUMN sitemap_issues.code; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sitemap_issues.code IS 'From a closed list that grows with the rules; so no CHECK.';


--
-- Name: COLUMN sitemap_issues.examples; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sitemap_issues.examples IS 'The first ten places.';


--
-- Name: sitemap_rounds; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sitemap_rounds (
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    ended_at timestamp with time zone NOT NULL,
    urls_total bigint NOT NULL,
    files bigint NOT NULL,
    files_failed bigint NOT NULL,
    added bigint NOT NULL,
    removed bigint NOT NULL,
    moved bigint NOT NULL,
    lastmod_changed bigint NOT NULL,
    errors integer NOT NULL,
    warnings integer NOT NULL,
    blocked bigint,
    non_200 bigint,
    CONSTRAINT sitemap_rounds_added_check CHECK ((added >= 0)),
    CONSTRAINT sitemap_rounds_blocked_check CHECK ((blocked >= 0)),
    CONSTRAINT sitemap_rounds_errors_check CHECK ((errors >= 0)),
    CONSTRAINT sitemap_rounds_files_check CHECK ((files >= 0)),
    CONSTRAINT sitemap_rounds_files_failed_check CHECK ((files_failed >= 0)),
    CONSTRAINT sitemap_rounds_lastmod_changed_check CHECK ((lastmod_changed >= 0)),
    CONSTRAINT sitemap_rounds_moved_check CHECK ((moved >= 0)),
    CONSTRAINT sitemap_rounds_non_200_check CHECK ((non_200 >= 0)),
    CONSTRAINT sitemap_rounds_removed_check CHECK ((removed >= 0)),
    CONSTRAINT sitemap_rounds_urls_total_check CHECK ((urls_total >= 0)),
    CONSTRAINT sitemap_rounds_warnings_check CHECK ((warnings >= 0))
)
PARTITION BY RANGE (ended_at);


--
-- Name: TABLE sitemap_rounds; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.sitemap_rounds IS 'The outcome of each check of all sitemaps of a site.';


--
-- Name: COLUMN sitemap_rounds.urls_total; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sitemap_rounds.urls_total IS 'The entries of all files.';


--
-- Name: COLUMN sitemap_rounds.errors; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sitemap_rounds.errors IS 'Findings that are errors.';


--
-- Name: COLUMN sitemap_rounds.warnings; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sitemap_rounds.warnings IS 'Findings that are warnings.';


--
-- Name: COLUMN sitemap_rounds.blocked; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sitemap_rounds.blocked IS 'Pages that robots.txt keeps Googlebot from; null: that was not worked out.';


--
-- Name: COLUMN sitemap_rounds.non_200; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sitemap_rounds.non_200 IS 'Pages that answered with an error when they were last asked; null: none was asked.';


--
-- Name: sitemap_rounds_default; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sitemap_rounds_default (
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    ended_at timestamp with time zone NOT NULL,
    urls_total bigint NOT NULL,
    files bigint NOT NULL,
    files_failed bigint NOT NULL,
    added bigint NOT NULL,
    removed bigint NOT NULL,
    moved bigint NOT NULL,
    lastmod_changed bigint NOT NULL,
    errors integer NOT NULL,
    warnings integer NOT NULL,
    blocked bigint,
    non_200 bigint,
    CONSTRAINT sitemap_rounds_added_check CHECK ((added >= 0)),
    CONSTRAINT sitemap_rounds_blocked_check CHECK ((blocked >= 0)),
    CONSTRAINT sitemap_rounds_errors_check CHECK ((errors >= 0)),
    CONSTRAINT sitemap_rounds_files_check CHECK ((files >= 0)),
    CONSTRAINT sitemap_rounds_files_failed_check CHECK ((files_failed >= 0)),
    CONSTRAINT sitemap_rounds_lastmod_changed_check CHECK ((lastmod_changed >= 0)),
    CONSTRAINT sitemap_rounds_moved_check CHECK ((moved >= 0)),
    CONSTRAINT sitemap_rounds_non_200_check CHECK ((non_200 >= 0)),
    CONSTRAINT sitemap_rounds_removed_check CHECK ((removed >= 0)),
    CONSTRAINT sitemap_rounds_urls_total_check CHECK ((urls_total >= 0)),
    CONSTRAINT sitemap_rounds_warnings_check CHECK ((warnings >= 0))
);


--
-- Name: TABLE sitemap_rounds_default; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.sitemap_rounds_default IS 'Rounds of months that have no partition: a safety net, normally empty.';


--
-- Name: sitemap_samples; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sitemap_samples (
    domain_id uuid NOT NULL,
    url_key uuid NOT NULL,
    asked_at timestamp with time zone NOT NULL,
    status_code integer NOT NULL,
    redirects_to text,
    is_noindex boolean,
    canonical text,
    is_canonical boolean
);


--
-- Name: TABLE sitemap_samples; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.sitemap_samples IS 'The answers of pages of sitemaps when they were last asked, within 30 days.';


--
-- Name: COLUMN sitemap_samples.url_key; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sitemap_samples.url_key IS 'The first 128 bits of the SHA-256 of the URL.';


--
-- Name: COLUMN sitemap_samples.is_noindex; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sitemap_samples.is_noindex IS 'Whether the page asks Google not to index it; null: it did not answer with a success.';


--
-- Name: COLUMN sitemap_samples.canonical; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sitemap_samples.canonical IS 'The page that it names as the one to be indexed; null: none.';


--
-- Name: COLUMN sitemap_samples.is_canonical; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sitemap_samples.is_canonical IS 'Whether that is itself; null: it names none.';


--
-- Name: sitemap_sites; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sitemap_sites (
    domain_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    next_check_at timestamp with time zone NOT NULL,
    leased_until timestamp with time zone,
    last_checked_at timestamp with time zone,
    last_changed_at timestamp with time zone,
    robots_declared boolean DEFAULT false NOT NULL,
    figures jsonb,
    figures_at timestamp with time zone,
    conflicts jsonb,
    sampled_through uuid,
    CONSTRAINT sitemap_sites_check CHECK (((figures IS NULL) = (figures_at IS NULL)))
)
WITH (fillfactor='70');


--
-- Name: TABLE sitemap_sites; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.sitemap_sites IS 'The sums of the sitemaps of a site, and when they are checked next.';


--
-- Name: COLUMN sitemap_sites.workspace_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sitemap_sites.workspace_id IS 'The domain''s, which never changes. Claims share what is due among workspaces.';


--
-- Name: COLUMN sitemap_sites.leased_until; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sitemap_sites.leased_until IS 'Until then one node alone has the check; a node that dies loses it then. Null: nobody has.';


--
-- Name: COLUMN sitemap_sites.last_changed_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sitemap_sites.last_changed_at IS 'When a check last found other pages, or another file; null: none has.';


--
-- Name: COLUMN sitemap_sites.robots_declared; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sitemap_sites.robots_declared IS 'Whether the robots.txt in force names a sitemap.';


--
-- Name: COLUMN sitemap_sites.figures; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sitemap_sites.figures IS 'Totals over all files, as of the last check that changed them; null: no check has ended.';


--
-- Name: COLUMN sitemap_sites.conflicts; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sitemap_sites.conflicts IS 'When pages were last held against robots.txt, against which version, and how many of them each crawler may not fetch.';


--
-- Name: COLUMN sitemap_sites.sampled_through; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sitemap_sites.sampled_through IS 'The last page that was asked, in the order of keys; null: the round through all pages begins anew.';


--
-- Name: sitemap_urls; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.sitemap_urls (
    file_id uuid NOT NULL,
    url_key uuid NOT NULL,
    domain_id uuid NOT NULL,
    url text NOT NULL,
    lastmod timestamp with time zone,
    change_frequency text,
    priority double precision,
    images integer NOT NULL,
    videos integer NOT NULL,
    is_news boolean NOT NULL,
    alternates jsonb,
    first_seen_at timestamp with time zone NOT NULL,
    listed_at timestamp with time zone NOT NULL,
    missing_since timestamp with time zone,
    last_seen_at timestamp with time zone,
    removed_at timestamp with time zone,
    CONSTRAINT sitemap_urls_change_frequency_check CHECK ((change_frequency = ANY (ARRAY['always'::text, 'hourly'::text, 'daily'::text, 'weekly'::text, 'monthly'::text, 'yearly'::text, 'never'::text]))),
    CONSTRAINT sitemap_urls_check CHECK (((removed_at IS NULL) OR (missing_since IS NOT NULL))),
    CONSTRAINT sitemap_urls_images_check CHECK ((images >= 0)),
    CONSTRAINT sitemap_urls_priority_check CHECK (((priority >= (0)::double precision) AND (priority <= (1)::double precision))),
    CONSTRAINT sitemap_urls_videos_check CHECK ((videos >= 0))
);


--
-- Name: TABLE sitemap_urls; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.sitemap_urls IS 'The pages of sitemap files, one row a file and page. A file that says what it said is not written to: a page that is
there was last seen when its file was last good.';


--
-- Name: COLUMN sitemap_urls.url_key; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sitemap_urls.url_key IS 'The first 128 bits of the SHA-256 of the URL.';


--
-- Name: COLUMN sitemap_urls.domain_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sitemap_urls.domain_id IS 'The file''s.';


--
-- Name: COLUMN sitemap_urls.alternates; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sitemap_urls.alternates IS 'The page in other languages; null: none is named.';


--
-- Name: COLUMN sitemap_urls.first_seen_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sitemap_urls.first_seen_at IS 'When a file of the domain first named the page.';


--
-- Name: COLUMN sitemap_urls.listed_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sitemap_urls.listed_at IS 'Since when this file names it.';


--
-- Name: COLUMN sitemap_urls.missing_since; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sitemap_urls.missing_since IS 'The good fetch that did not find it any more; null: it is there.';


--
-- Name: COLUMN sitemap_urls.last_seen_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sitemap_urls.last_seen_at IS 'The last good fetch before that one.';


--
-- Name: COLUMN sitemap_urls.removed_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.sitemap_urls.removed_at IS 'The second good fetch in a row that did not find it; null: it is there, or missed once.';


--
-- Name: status_page_sites; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.status_page_sites (
    page_id uuid NOT NULL,
    domain_id uuid NOT NULL,
    "position" integer NOT NULL,
    CONSTRAINT status_page_sites_position_check CHECK (("position" > 0))
);


--
-- Name: TABLE status_page_sites; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.status_page_sites IS 'Which sites a status page shows. Those of deleted domains are left out until they are restored.';


--
-- Name: COLUMN status_page_sites."position"; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.status_page_sites."position" IS 'The order on the page, from 1.';


--
-- Name: status_pages; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.status_pages (
    id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    slug text NOT NULL,
    title text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT status_pages_slug_check CHECK ((slug ~ '^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$'::text)),
    CONSTRAINT status_pages_title_check CHECK (((length(title) >= 1) AND (length(title) <= 100)))
);


--
-- Name: TABLE status_pages; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.status_pages IS 'Pages without sign-in that show how some sites of a workspace stand. At most 50 a workspace.';


--
-- Name: COLUMN status_pages.slug; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.status_pages.slug IS 'The last part of its address, /status/{slug}.';


--
-- Name: switches; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.switches (
    name text NOT NULL,
    thrown_at timestamp with time zone NOT NULL,
    CONSTRAINT switches_name_check CHECK ((name = ANY (ARRAY['api-disabled'::text, 'read-only-mode'::text])))
);


--
-- Name: TABLE switches; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.switches IS 'The switches that are thrown; one that is not has no row.';


--
-- Name: synthetic_budgets; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.synthetic_budgets (
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    "position" integer NOT NULL,
    url_id uuid,
    profile_id text,
    metric text NOT NULL,
    bound double precision NOT NULL,
    direction text NOT NULL,
    CONSTRAINT synthetic_budgets_bound_check CHECK ((bound >= (0)::double precision)),
    CONSTRAINT synthetic_budgets_direction_check CHECK ((direction = ANY (ARRAY['max'::text, 'min'::text]))),
    CONSTRAINT synthetic_budgets_position_check CHECK (("position" >= 0))
);


--
-- Name: TABLE synthetic_budgets; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.synthetic_budgets IS 'Bounds that the figures of lab tests are held to.';


--
-- Name: COLUMN synthetic_budgets."position"; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.synthetic_budgets."position" IS 'Its place in the list that was sent, from 0.';


--
-- Name: COLUMN synthetic_budgets.url_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.synthetic_budgets.url_id IS 'The page that it holds for; null: all of the domain.';


--
-- Name: COLUMN synthetic_budgets.profile_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.synthetic_budgets.profile_id IS 'The profile that it holds for; null: all.';


--
-- Name: synthetic_results; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.synthetic_results (
    run_id uuid NOT NULL,
    audits jsonb NOT NULL,
    opportunities jsonb NOT NULL,
    resources jsonb NOT NULL,
    third_parties jsonb NOT NULL,
    filmstrip jsonb NOT NULL
);


--
-- Name: TABLE synthetic_results; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.synthetic_results IS 'The lists of lab tests, each of which is read whole. They go with their runs.';


--
-- Name: COLUMN synthetic_results.filmstrip; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.synthetic_results.filmstrip IS 'Pictures by the keys of their artefacts.';


--
-- Name: synthetic_runs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.synthetic_runs (
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    url_id uuid,
    job_id uuid,
    url text NOT NULL,
    profile_id text NOT NULL,
    form_factor text NOT NULL,
    trigger text NOT NULL,
    status text NOT NULL,
    requested_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    error_code text,
    error_detail text,
    summary jsonb,
    figures jsonb GENERATED ALWAYS AS (COALESCE((summary -> 'figures'::text), '{}'::jsonb)) STORED NOT NULL,
    budgets jsonb DEFAULT '[]'::jsonb NOT NULL,
    images_until timestamp with time zone,
    CONSTRAINT synthetic_runs_check CHECK (((finished_at IS NOT NULL) = (status = ANY (ARRAY['succeeded'::text, 'failed'::text, 'canceled'::text])))),
    CONSTRAINT synthetic_runs_check1 CHECK (((status <> 'succeeded'::text) OR (summary IS NOT NULL))),
    CONSTRAINT synthetic_runs_check2 CHECK (((error_code IS NULL) = (error_detail IS NULL))),
    CONSTRAINT synthetic_runs_form_factor_check CHECK ((form_factor = ANY (ARRAY['mobile'::text, 'desktop'::text]))),
    CONSTRAINT synthetic_runs_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'succeeded'::text, 'failed'::text, 'canceled'::text]))),
    CONSTRAINT synthetic_runs_trigger_check CHECK ((trigger = ANY (ARRAY['schedule'::text, 'api'::text, 'dashboard'::text])))
);


--
-- Name: TABLE synthetic_runs; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.synthetic_runs IS 'Lab tests: a page, measured once on a profile.';


--
-- Name: COLUMN synthetic_runs.url_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.synthetic_runs.url_id IS 'Null: a run of no tracked page.';


--
-- Name: COLUMN synthetic_runs.job_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.synthetic_runs.job_id IS 'The job that does it; null: it was refused when it was due.';


--
-- Name: COLUMN synthetic_runs.summary; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.synthetic_runs.summary IS 'Its result, but for the lists; null: it has no result.';


--
-- Name: COLUMN synthetic_runs.figures; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.synthetic_runs.figures IS 'Its figures by name. One that was not measured is not there.';


--
-- Name: COLUMN synthetic_runs.budgets; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.synthetic_runs.budgets IS 'How the budgets of the time stood.';


--
-- Name: COLUMN synthetic_runs.images_until; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.synthetic_runs.images_until IS 'Until when its pictures are kept; null: it has none.';


--
-- Name: synthetic_urls; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.synthetic_urls (
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    workspace_id uuid NOT NULL,
    settings jsonb NOT NULL,
    secrets bytea,
    has_basic_auth boolean NOT NULL,
    has_cookie boolean NOT NULL,
    next_run_at timestamp with time zone,
    leased_until timestamp with time zone,
    planned_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    deleted_at timestamp with time zone,
    CONSTRAINT synthetic_urls_check CHECK (((secrets IS NOT NULL) = (has_basic_auth OR has_cookie))),
    CONSTRAINT synthetic_urls_check1 CHECK (((deleted_at IS NULL) OR ((next_run_at IS NULL) AND (secrets IS NULL))))
)
WITH (fillfactor='70');


--
-- Name: TABLE synthetic_urls; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.synthetic_urls IS 'Pages that lab tests are run of.';


--
-- Name: COLUMN synthetic_urls.secrets; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.synthetic_urls.secrets IS 'User, password and cookie by which the page is reached, encrypted by a key that the database does not have (AES-256-GCM). Null: none.';


--
-- Name: COLUMN synthetic_urls.next_run_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.synthetic_urls.next_run_at IS 'Null: it is measured only when somebody asks for it.';


--
-- Name: COLUMN synthetic_urls.leased_until; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.synthetic_urls.leased_until IS 'Until then one node alone plans its runs, and this moment is its claim. Null: nobody does.';


--
-- Name: COLUMN synthetic_urls.planned_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.synthetic_urls.planned_at IS 'When its runs were last taken down by its schedule; null: never.';


--
-- Name: COLUMN synthetic_urls.deleted_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.synthetic_urls.deleted_at IS 'Since when it is tracked no longer; it stays for as long as its runs do. Null: it is tracked.';


--
-- Name: uptime_certificate_history; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.uptime_certificate_history (
    domain_id uuid NOT NULL,
    fingerprint text NOT NULL,
    first_seen_at timestamp with time zone NOT NULL,
    last_seen_at timestamp with time zone NOT NULL,
    replaced_at timestamp with time zone,
    issuer_common_name text,
    valid_from timestamp with time zone NOT NULL,
    valid_until timestamp with time zone NOT NULL,
    names_count integer NOT NULL,
    CONSTRAINT uptime_certificate_history_check CHECK ((first_seen_at <= last_seen_at)),
    CONSTRAINT uptime_certificate_history_fingerprint_check CHECK ((fingerprint ~ '^[0-9a-f]{64}$'::text)),
    CONSTRAINT uptime_certificate_history_names_count_check CHECK ((names_count >= 0))
)
WITH (fillfactor='70');


--
-- Name: TABLE uptime_certificate_history; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.uptime_certificate_history IS 'The certificates that a site has presented: the 50 that were seen last.';


--
-- Name: COLUMN uptime_certificate_history.fingerprint; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_certificate_history.fingerprint IS 'SHA-256 of the certificate, hex.';


--
-- Name: COLUMN uptime_certificate_history.last_seen_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_certificate_history.last_seen_at IS 'The last check that saw it, to within an hour.';


--
-- Name: COLUMN uptime_certificate_history.replaced_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_certificate_history.replaced_at IS 'The check that first saw another in its place; null: it is the present one.';


--
-- Name: COLUMN uptime_certificate_history.names_count; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_certificate_history.names_count IS 'How many DNS names and addresses it is for.';


--
-- Name: uptime_certificates; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.uptime_certificates (
    domain_id uuid NOT NULL,
    digest bytea NOT NULL,
    checked_at timestamp with time zone NOT NULL,
    sighting jsonb NOT NULL,
    CONSTRAINT uptime_certificates_digest_check CHECK ((octet_length(digest) = 32))
)
WITH (fillfactor='70');


--
-- Name: TABLE uptime_certificates; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.uptime_certificates IS 'The sight of a site''s TLS at the last check. There is no row before the first check.';


--
-- Name: COLUMN uptime_certificates.digest; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_certificates.digest IS 'SHA-256 of the sighting: whether a check saw the same is told by it alone.';


--
-- Name: COLUMN uptime_certificates.checked_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_certificates.checked_at IS 'A check that saw it; written on a change, and anew once it is an hour old.';


--
-- Name: COLUMN uptime_certificates.sighting; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_certificates.sighting IS 'Host, certificate, chain, session and HSTS.';


--
-- Name: uptime_checks; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.uptime_checks (
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    region text NOT NULL,
    checked_at timestamp with time zone NOT NULL,
    outcome text NOT NULL,
    run_id uuid,
    status_code integer,
    http_version text,
    response_ms double precision,
    dns_ms double precision,
    connect_ms double precision,
    tls_ms double precision,
    ttfb_ms double precision,
    download_ms double precision,
    redirect_count integer NOT NULL,
    final_url text,
    response_bytes bigint,
    ip_address inet,
    error_class text,
    error_message text,
    keyword_matched boolean,
    retry_index integer NOT NULL,
    CONSTRAINT uptime_checks_http_version_check CHECK ((http_version = ANY (ARRAY['1.0'::text, '1.1'::text, '2'::text]))),
    CONSTRAINT uptime_checks_outcome_check CHECK ((outcome = ANY (ARRAY['up'::text, 'down'::text, 'degraded'::text, 'maintenance'::text, 'blocked'::text])))
)
PARTITION BY RANGE (checked_at);


--
-- Name: TABLE uptime_checks; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.uptime_checks IS 'Every check of a site. The primary key, read backwards, serves lists that begin with the newest.';


--
-- Name: COLUMN uptime_checks.run_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_checks.run_id IS 'The run that asked for it; null: the schedule.';


--
-- Name: COLUMN uptime_checks.response_ms; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_checks.response_ms IS 'All of it in milliseconds; the columns after it are its parts. Null: not measured.';


--
-- Name: COLUMN uptime_checks.response_bytes; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_checks.response_bytes IS 'The size of the body as sent.';


--
-- Name: COLUMN uptime_checks.error_class; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_checks.error_class IS 'Why it failed, from a closed list that grows with the prober; so no CHECK.';


--
-- Name: COLUMN uptime_checks.keyword_matched; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_checks.keyword_matched IS 'Whether the keyword was found; null without a rule.';


--
-- Name: COLUMN uptime_checks.retry_index; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_checks.retry_index IS '0 for the first attempt.';


--
-- Name: uptime_checks_default; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.uptime_checks_default (
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    region text NOT NULL,
    checked_at timestamp with time zone NOT NULL,
    outcome text NOT NULL,
    run_id uuid,
    status_code integer,
    http_version text,
    response_ms double precision,
    dns_ms double precision,
    connect_ms double precision,
    tls_ms double precision,
    ttfb_ms double precision,
    download_ms double precision,
    redirect_count integer NOT NULL,
    final_url text,
    response_bytes bigint,
    ip_address inet,
    error_class text,
    error_message text,
    keyword_matched boolean,
    retry_index integer NOT NULL,
    CONSTRAINT uptime_checks_http_version_check CHECK ((http_version = ANY (ARRAY['1.0'::text, '1.1'::text, '2'::text]))),
    CONSTRAINT uptime_checks_outcome_check CHECK ((outcome = ANY (ARRAY['up'::text, 'down'::text, 'degraded'::text, 'maintenance'::text, 'blocked'::text])))
);


--
-- Name: TABLE uptime_checks_default; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.uptime_checks_default IS 'Checks of months that have no partition: a safety net, normally empty.';


--
-- Name: uptime_distributions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.uptime_distributions (
    domain_id uuid NOT NULL,
    grain text NOT NULL,
    measure text NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    region text NOT NULL,
    times bytea NOT NULL,
    CONSTRAINT uptime_distributions_grain_check CHECK ((grain = ANY (ARRAY['hour'::text, 'day'::text, 'month'::text, 'quarter'::text]))),
    CONSTRAINT uptime_distributions_measure_check CHECK ((measure = ANY (ARRAY['response'::text, 'dns'::text, 'connect'::text, 'tls'::text, 'ttfb'::text, 'download'::text])))
);
ALTER TABLE ONLY public.uptime_distributions ALTER COLUMN times SET STORAGE EXTERNAL;


--
-- Name: TABLE uptime_distributions; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.uptime_distributions IS 'How often which time was measured, for percentiles. Hours have the response alone.';


--
-- Name: COLUMN uptime_distributions.times; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_distributions.times IS 'Times in microseconds of three significant digits, ascending, each once with its count: a sequence of pairs of numbers in the format of postcard, the first of each the step from the time before. It hardly compresses.';


--
-- Name: uptime_incident_events; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.uptime_incident_events (
    incident_id uuid NOT NULL,
    number bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    event text NOT NULL,
    region text,
    detail text,
    CONSTRAINT uptime_incident_events_event_check CHECK ((event = ANY (ARRAY['first_failure'::text, 'confirmed'::text, 'region_added'::text, 'region_recovered'::text, 'recovered'::text])))
);


--
-- Name: TABLE uptime_incident_events; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.uptime_incident_events IS 'The course of each incident.';


--
-- Name: COLUMN uptime_incident_events.number; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_incident_events.number IS 'The order in which it was learned.';


--
-- Name: COLUMN uptime_incident_events.region; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_incident_events.region IS 'Where it was seen. Those of first_failure and region_added are the regions affected.';


--
-- Name: uptime_incident_events_number_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.uptime_incident_events ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.uptime_incident_events_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: uptime_incidents; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.uptime_incidents (
    id uuid NOT NULL,
    domain_id uuid NOT NULL,
    started_at timestamp with time zone NOT NULL,
    confirmed_at timestamp with time zone NOT NULL,
    resolved_at timestamp with time zone,
    class text NOT NULL,
    severity text NOT NULL,
    status_code integer,
    error_message text,
    resolved_ip inet,
    response_headers jsonb NOT NULL,
    checks_failed integer NOT NULL,
    during_maintenance boolean NOT NULL,
    CONSTRAINT uptime_incidents_check CHECK ((started_at <= confirmed_at)),
    CONSTRAINT uptime_incidents_check1 CHECK ((confirmed_at <= resolved_at)),
    CONSTRAINT uptime_incidents_checks_failed_check CHECK ((checks_failed >= 0)),
    CONSTRAINT uptime_incidents_severity_check CHECK ((severity = ANY (ARRAY['outage'::text, 'degraded'::text])))
);


--
-- Name: TABLE uptime_incidents; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.uptime_incidents IS 'Outages: while more than half of the regions see the site down. At most one is open for a domain.';


--
-- Name: COLUMN uptime_incidents.started_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_incidents.started_at IS 'The first failing check of the region that made it an outage.';


--
-- Name: COLUMN uptime_incidents.confirmed_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_incidents.confirmed_at IS 'The check that confirmed it.';


--
-- Name: COLUMN uptime_incidents.resolved_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_incidents.resolved_at IS 'The first passing check of those that ended it; null: still open.';


--
-- Name: COLUMN uptime_incidents.class; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_incidents.class IS 'The class of the first failing check. A list that grows with the prober; so no CHECK.';


--
-- Name: COLUMN uptime_incidents.severity; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_incidents.severity IS 'degraded: the site refused the prober alone, which is no downtime.';


--
-- Name: COLUMN uptime_incidents.status_code; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_incidents.status_code IS 'The status of the first failing check.';


--
-- Name: COLUMN uptime_incidents.error_message; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_incidents.error_message IS 'The message of the first failing check.';


--
-- Name: COLUMN uptime_incidents.resolved_ip; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_incidents.resolved_ip IS 'The address that the first failing check connected to.';


--
-- Name: COLUMN uptime_incidents.response_headers; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_incidents.response_headers IS 'The headers of the first failing answer that tell who answered.';


--
-- Name: COLUMN uptime_incidents.checks_failed; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_incidents.checks_failed IS 'In its course, those before its confirmation included.';


--
-- Name: COLUMN uptime_incidents.during_maintenance; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_incidents.during_maintenance IS 'Whether a check failed within a maintenance window meanwhile.';


--
-- Name: uptime_monitors; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.uptime_monitors (
    domain_id uuid NOT NULL,
    settings jsonb NOT NULL,
    enabled boolean GENERATED ALWAYS AS (((settings -> 'enabled'::text))::boolean) STORED NOT NULL,
    interval_seconds integer GENERATED ALWAYS AS (((settings -> 'interval_seconds'::text))::integer) STORED NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    updated_by uuid,
    registrable_domain text,
    CONSTRAINT uptime_monitors_interval_seconds_check CHECK ((interval_seconds > 0))
);


--
-- Name: TABLE uptime_monitors; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.uptime_monitors IS 'The uptime monitor of a domain.';


--
-- Name: COLUMN uptime_monitors.settings; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_monitors.settings IS 'All settings. The headers among them may hold credentials of the site.';


--
-- Name: COLUMN uptime_monitors.enabled; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_monitors.enabled IS 'Read out of the settings.';


--
-- Name: COLUMN uptime_monitors.interval_seconds; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_monitors.interval_seconds IS 'Read out of the settings.';


--
-- Name: COLUMN uptime_monitors.updated_by; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_monitors.updated_by IS 'Who changed the settings last; null: Pharos itself.';


--
-- Name: COLUMN uptime_monitors.registrable_domain; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_monitors.registrable_domain IS 'The registered name that the domain lies below, by the public suffix list; null: not found out yet.';


--
-- Name: uptime_region_states; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.uptime_region_states (
    domain_id uuid NOT NULL,
    region text NOT NULL,
    state jsonb NOT NULL
)
WITH (fillfactor='70');


--
-- Name: TABLE uptime_region_states; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.uptime_region_states IS 'The knowledge of each region of a site after its last check.';


--
-- Name: COLUMN uptime_region_states.state; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_region_states.state IS 'Counters, last outcome, since when; changed by each check.';


--
-- Name: uptime_rollup_progress; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.uptime_rollup_progress (
    domain_id uuid NOT NULL,
    rolled_until timestamp with time zone
);


--
-- Name: TABLE uptime_rollup_progress; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.uptime_rollup_progress IS 'How far each domain is rolled up. Its row is locked by whoever rolls up, and by whoever stores a check of an earlier day.';


--
-- Name: COLUMN uptime_rollup_progress.rolled_until; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_rollup_progress.rolled_until IS 'The beginning of a UTC day: everything before it is rolled up, nothing after it is read from roll-ups. Null: nothing is.';


--
-- Name: uptime_rollups; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.uptime_rollups (
    domain_id uuid NOT NULL,
    grain text NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    region text NOT NULL,
    counts bigint[] NOT NULL,
    least_us bigint,
    most_us bigint,
    samples bigint[] NOT NULL,
    micros bigint[] NOT NULL,
    CONSTRAINT uptime_rollups_counts_check CHECK ((cardinality(counts) = 4)),
    CONSTRAINT uptime_rollups_grain_check CHECK ((grain = ANY (ARRAY['hour'::text, 'day'::text, 'month'::text, 'quarter'::text]))),
    CONSTRAINT uptime_rollups_micros_check CHECK ((cardinality(micros) = 6)),
    CONSTRAINT uptime_rollups_samples_check CHECK ((cardinality(samples) = 6))
);


--
-- Name: TABLE uptime_rollups; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.uptime_rollups IS 'The sums of the checks of each hour, day, month and quarter of a year, seen from one region, and the times of those that passed.';


--
-- Name: COLUMN uptime_rollups.grain; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_rollups.grain IS 'A month or quarter has a row once all of it is rolled up.';


--
-- Name: COLUMN uptime_rollups.starts_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_rollups.starts_at IS 'When the hour, day, month or quarter begins, UTC.';


--
-- Name: COLUMN uptime_rollups.counts; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_rollups.counts IS 'How many checks there were, and how many of them were up, down and degraded.';


--
-- Name: COLUMN uptime_rollups.least_us; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_rollups.least_us IS 'The fastest answer in microseconds; null without any.';


--
-- Name: COLUMN uptime_rollups.most_us; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_rollups.most_us IS 'The slowest.';


--
-- Name: COLUMN uptime_rollups.samples; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_rollups.samples IS 'How many answers were timed, and their phases: response, dns, connect, tls, ttfb, download.';


--
-- Name: COLUMN uptime_rollups.micros; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_rollups.micros IS 'The sums of their times in microseconds, in the same order.';


--
-- Name: uptime_schedules; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.uptime_schedules (
    domain_id uuid NOT NULL,
    region text NOT NULL,
    next_check_at timestamp with time zone NOT NULL,
    leased_until timestamp with time zone,
    workspace_id uuid NOT NULL
)
WITH (fillfactor='70');


--
-- Name: TABLE uptime_schedules; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.uptime_schedules IS 'When each region checks a site next. Only enabled monitors of domains that are not deleted have rows.';


--
-- Name: COLUMN uptime_schedules.leased_until; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_schedules.leased_until IS 'Until then one worker alone has the check; a worker that dies loses it then. Null: nobody has.';


--
-- Name: COLUMN uptime_schedules.workspace_id; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_schedules.workspace_id IS 'The domain''s, which never changes; a trigger reads it. Claims share what is due among workspaces.';


--
-- Name: uptime_spans; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.uptime_spans (
    domain_id uuid NOT NULL,
    region text NOT NULL,
    state text NOT NULL,
    started_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone NOT NULL,
    CONSTRAINT uptime_spans_check CHECK ((started_at < ended_at)),
    CONSTRAINT uptime_spans_state_check CHECK ((state = ANY (ARRAY['up'::text, 'suspect'::text, 'pending'::text, 'down'::text, 'maintenance'::text, 'blocked'::text, 'paused'::text])))
)
WITH (fillfactor='90');


--
-- Name: TABLE uptime_spans; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.uptime_spans IS 'Time in one state, seen from one region. Spans of a region never overlap; neighbours of one state are one span.';


--
-- Name: COLUMN uptime_spans.state; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.uptime_spans.state IS 'suspect and pending become down when the outage is confirmed. Until then suspect counts as up, and pending, which is suspect before the site was seen up, as neither.';


--
-- Name: user_passwords; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.user_passwords (
    user_id uuid NOT NULL,
    hash text NOT NULL,
    changed_at timestamp with time zone NOT NULL,
    CONSTRAINT user_passwords_hash_check CHECK ((hash ~~ '$argon2id$%'::text))
);


--
-- Name: TABLE user_passwords; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.user_passwords IS 'Passwords of users. Whoever has none can''t sign in to the console.';


--
-- Name: COLUMN user_passwords.hash; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.user_passwords.hash IS 'argon2id in PHC format, with its parameters and salt.';


--
-- Name: users; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.users (
    id uuid NOT NULL,
    email text NOT NULL,
    name text NOT NULL,
    disabled_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT users_email_check CHECK ((email <> ''::text)),
    CONSTRAINT users_name_check CHECK ((name <> ''::text))
);


--
-- Name: TABLE users; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.users IS 'People.';


--
-- Name: COLUMN users.email; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.users.email IS 'Unique whatever its case.';


--
-- Name: COLUMN users.disabled_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.users.disabled_at IS 'When the user was disabled; while set, their keys do not authenticate.';


--
-- Name: wide_pull_rows; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.wide_pull_rows (
    run_id uuid NOT NULL,
    place integer NOT NULL,
    cells jsonb NOT NULL
);


--
-- Name: TABLE wide_pull_rows; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.wide_pull_rows IS 'The rows of wide pulls. They refer to no other table: checking that for each of a million costs as much as storing it. Upkeep takes them out before their run.';


--
-- Name: COLUMN wide_pull_rows.place; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.wide_pull_rows.place IS 'Where it stands in the report: 1, 2, 3 and so on, without a gap.';


--
-- Name: COLUMN wide_pull_rows.cells; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.wide_pull_rows.cells IS 'A value for each column of the report, in their order.';


--
-- Name: wide_pulls; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.wide_pulls (
    run_id uuid NOT NULL,
    report text NOT NULL,
    first_day date NOT NULL,
    last_day date NOT NULL,
    asked jsonb NOT NULL,
    total_rows bigint,
    is_truncated boolean DEFAULT false NOT NULL,
    has_rows boolean DEFAULT false NOT NULL,
    CONSTRAINT wide_pulls_check CHECK ((first_day <= last_day))
);


--
-- Name: TABLE wide_pulls; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.wide_pulls IS 'The question of a run of a wide pull. The run itself is in runs; its kind says whose report it is.';


--
-- Name: COLUMN wide_pulls.report; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.wide_pulls.report IS 'The key of the report.';


--
-- Name: COLUMN wide_pulls.asked; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.wide_pulls.asked IS 'Its subject besides its days, as the module has it.';


--
-- Name: COLUMN wide_pulls.total_rows; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.wide_pulls.total_rows IS 'How many rows it came to; null until it is done.';


--
-- Name: COLUMN wide_pulls.is_truncated; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.wide_pulls.is_truncated IS 'Whether there were more rows than a report keeps.';


--
-- Name: COLUMN wide_pulls.has_rows; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.wide_pulls.has_rows IS 'Whether rows are stored: upkeep takes them out once the run''s result is no longer kept.';


--
-- Name: workspaces; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.workspaces (
    id uuid NOT NULL,
    name text NOT NULL,
    plan_key text NOT NULL,
    subscription_status text DEFAULT 'active'::text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT workspaces_name_check CHECK ((name <> ''::text)),
    CONSTRAINT workspaces_subscription_status_check CHECK ((subscription_status = ANY (ARRAY['trialing'::text, 'active'::text, 'past_due'::text, 'canceled'::text, 'expired'::text])))
);


--
-- Name: TABLE workspaces; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.workspaces IS 'Who owns domains and pays for calls.';


--
-- Name: COLUMN workspaces.created_at; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.workspaces.created_at IS 'The day of this is the anchor of the billing cycles.';


--
-- Name: analytics_commerce_default; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.analytics_commerce ATTACH PARTITION public.analytics_commerce_default DEFAULT;


--
-- Name: analytics_engagements_default; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.analytics_engagements ATTACH PARTITION public.analytics_engagements_default DEFAULT;


--
-- Name: analytics_hits_default; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.analytics_hits ATTACH PARTITION public.analytics_hits_default DEFAULT;


--
-- Name: analytics_items_default; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.analytics_items ATTACH PARTITION public.analytics_items_default DEFAULT;


--
-- Name: analytics_properties_default; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.analytics_properties ATTACH PARTITION public.analytics_properties_default DEFAULT;


--
-- Name: analytics_sessions_default; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.analytics_sessions ATTACH PARTITION public.analytics_sessions_default DEFAULT;


--
-- Name: credit_log_default; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.credit_log ATTACH PARTITION public.credit_log_default DEFAULT;


--
-- Name: indexing_changes_default; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.indexing_changes ATTACH PARTITION public.indexing_changes_default DEFAULT;


--
-- Name: indexing_results_default; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.indexing_results ATTACH PARTITION public.indexing_results_default DEFAULT;


--
-- Name: robots_checks_default; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.robots_checks ATTACH PARTITION public.robots_checks_default DEFAULT;


--
-- Name: rum_cls_default; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_cls ATTACH PARTITION public.rum_cls_default DEFAULT;


--
-- Name: rum_engagements_default; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_engagements ATTACH PARTITION public.rum_engagements_default DEFAULT;


--
-- Name: rum_errors_default; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_errors ATTACH PARTITION public.rum_errors_default DEFAULT;


--
-- Name: rum_frames_default; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_frames ATTACH PARTITION public.rum_frames_default DEFAULT;


--
-- Name: rum_inp_default; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_inp ATTACH PARTITION public.rum_inp_default DEFAULT;


--
-- Name: rum_lcp_default; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_lcp ATTACH PARTITION public.rum_lcp_default DEFAULT;


--
-- Name: rum_reasons_default; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_reasons ATTACH PARTITION public.rum_reasons_default DEFAULT;


--
-- Name: rum_resources_default; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_resources ATTACH PARTITION public.rum_resources_default DEFAULT;


--
-- Name: rum_scripts_default; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_scripts ATTACH PARTITION public.rum_scripts_default DEFAULT;


--
-- Name: rum_server_timings_default; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_server_timings ATTACH PARTITION public.rum_server_timings_default DEFAULT;


--
-- Name: rum_ttfb_default; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_ttfb ATTACH PARTITION public.rum_ttfb_default DEFAULT;


--
-- Name: rum_views_default; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_views ATTACH PARTITION public.rum_views_default DEFAULT;


--
-- Name: search_appearances_default; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_appearances ATTACH PARTITION public.search_appearances_default DEFAULT;


--
-- Name: search_pages_default; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_pages ATTACH PARTITION public.search_pages_default DEFAULT;


--
-- Name: search_pairs_default; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_pairs ATTACH PARTITION public.search_pairs_default DEFAULT;


--
-- Name: search_places_default; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_places ATTACH PARTITION public.search_places_default DEFAULT;


--
-- Name: search_queries_default; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_queries ATTACH PARTITION public.search_queries_default DEFAULT;


--
-- Name: search_sums_default; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_sums ATTACH PARTITION public.search_sums_default DEFAULT;


--
-- Name: sitemap_changes_default; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sitemap_changes ATTACH PARTITION public.sitemap_changes_default DEFAULT;


--
-- Name: sitemap_checks_default; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sitemap_checks ATTACH PARTITION public.sitemap_checks_default DEFAULT;


--
-- Name: sitemap_rounds_default; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sitemap_rounds ATTACH PARTITION public.sitemap_rounds_default DEFAULT;


--
-- Name: uptime_checks_default; Type: TABLE ATTACH; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_checks ATTACH PARTITION public.uptime_checks_default DEFAULT;


--
-- Data for Name: __diesel_schema_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261123060000', '2026-11-26 17:49:52.728949');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261123060100', '2026-11-26 17:49:52.761718');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261123060200', '2026-11-26 17:49:52.789721');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261123060300', '2026-11-26 17:49:52.818825');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261123093500', '2026-11-26 17:49:52.863555');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261123100000', '2026-11-26 17:49:52.868982');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261123110000', '2026-11-26 17:49:52.879871');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261123120000', '2026-11-26 17:49:52.887043');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261123130000', '2026-11-26 17:49:52.92737');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261123130500', '2026-11-26 17:49:52.932522');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261123131000', '2026-11-26 17:49:52.934938');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261123140000', '2026-11-26 17:49:52.938547');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261123150000', '2026-11-26 17:49:52.954847');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261124100000', '2026-11-26 17:49:52.959491');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261124161500', '2026-11-26 17:49:52.968798');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261124164500', '2026-11-26 17:49:52.97139');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261124170000', '2026-11-26 17:49:52.977615');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261124171500', '2026-11-26 17:49:53.012109');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261124190000', '2026-11-26 17:49:53.070299');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261124200000', '2026-11-26 17:49:53.094109');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261124201000', '2026-11-26 17:49:53.135274');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261124203000', '2026-11-26 17:49:53.143124');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261124203100', '2026-11-26 17:49:53.153374');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261124204500', '2026-11-26 17:49:53.161927');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261124210000', '2026-11-26 17:49:53.16379');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261124230000', '2026-11-26 17:49:53.174129');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261124230100', '2026-11-26 17:49:53.179242');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261124233000', '2026-11-26 17:49:53.18277');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261124233100', '2026-11-26 17:49:53.215742');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261124233200', '2026-11-26 17:49:53.218946');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261125000000', '2026-11-26 17:49:53.232424');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261125000100', '2026-11-26 17:49:53.238189');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261125000150', '2026-11-26 17:49:53.243091');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261125000300', '2026-11-26 17:49:53.255003');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261125001000', '2026-11-26 17:49:53.289291');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261126120000', '2026-11-26 17:49:53.306705');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261126130000', '2026-11-26 17:49:53.30864');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261126130010', '2026-11-26 17:49:53.340115');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261126140000', '2026-11-26 17:49:53.344853');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261126150000', '2026-11-26 17:49:53.347606');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261126160000', '2026-11-26 17:49:53.350367');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261126160100', '2026-11-26 17:49:53.358477');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261126170000', '2026-11-26 17:49:53.360389');
INSERT INTO public.__diesel_schema_migrations (version, run_on) VALUES ('20261126180000', '2026-11-26 17:49:53.372177');


--
-- Data for Name: alert_channels; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.alert_channels (id, workspace_id, domain_id, name, target, min_severity, modules, quiet_hours, off_reason, failing_since, failure_told_at, next_send_at, unsubscribe_token, created_at, updated_at) VALUES ('01900000-0000-7000-8000-000000000084', '01900000-0000-7000-8000-000000000011', '01900000-0000-7000-8000-000000000021', 'On call', '{"to": "on-call@ada.example", "kind": "email"}', 'warning', '{uptime}', '22:00-07:00 Europe/Berlin', NULL, '2026-01-04 09:00:00+00', NULL, '2026-01-04 09:05:00+00', '01900000-0000-4000-8000-000000000085', '2026-01-03 10:00:00+00', '2026-01-03 11:00:00+00');


--
-- Data for Name: alert_deliveries; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.alert_deliveries (id, channel_id, notification_id, event, state, taken_until, attempts, last_error, created_at, ended_at) VALUES ('01900000-0000-7000-8000-000000000086', '01900000-0000-7000-8000-000000000084', '01900000-0000-7000-8000-000000000083', 'raised', 'sent', NULL, 2, 'the mail server answered 421', '2026-01-04 09:00:00+00', '2026-01-04 09:01:00+00');


--
-- Data for Name: alert_evaluations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.alert_evaluations (rule_id, domain_id, workspace_id, next_evaluation_at, leased_until, state, last_value, last_evaluated_at, last_fired_at, is_open) VALUES ('01900000-0000-7000-8000-000000000081', '01900000-0000-7000-8000-000000000021', '01900000-0000-7000-8000-000000000011', '2026-01-04 10:01:00+00', '2026-01-04 10:02:00+00', 'firing', 240, '2026-01-04 10:00:00+00', '2026-01-04 09:00:00+00', true);


--
-- Data for Name: alert_history; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.alert_history (id, rule_id, domain_id, workspace_id, notification_id, module, metric, metric_label, unit, operator, threshold, comparison_window, evaluation_window, url, form_factor, search_type, value, baseline_value, change_pct, severity, title, message, context, fired_at, resolved_at, end_reason) VALUES ('01900000-0000-7000-8000-000000000082', '01900000-0000-7000-8000-000000000081', '01900000-0000-7000-8000-000000000021', '01900000-0000-7000-8000-000000000011', '01900000-0000-7000-8000-000000000083', 'uptime', 'response_ms', 'Response time', 'ms', 'pct_increase', 20, 'previous_day', '1h', NULL, NULL, NULL, 240, 200, 20, 'warning', 'ada.example: Response time is up 20 % to 240 ms', 'The response time over the last hour is 240 ms.', '{}', '2026-01-04 09:00:00+00', NULL, NULL);


--
-- Data for Name: alert_pending_events; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.alert_pending_events (number, rule_id, at, context) OVERRIDING SYSTEM VALUE VALUES (1, '01900000-0000-7000-8000-000000000081', '2026-01-04 10:00:00+00', '{}');


--
-- Data for Name: alert_rules; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.alert_rules (id, domain_id, workspace_id, name, module, metric, operator, threshold, comparison_window, evaluation_window, min_sample, url, form_factor, search_type, severity, enabled, cooldown_minutes, created_at, updated_at, created_by) VALUES ('01900000-0000-7000-8000-000000000081', '01900000-0000-7000-8000-000000000021', '01900000-0000-7000-8000-000000000011', 'Slow', 'uptime', 'response_ms', 'pct_increase', 20, 'previous_day', '1h', 10, NULL, NULL, NULL, 'warning', true, 120, '2026-01-03 10:00:00+00', '2026-01-03 11:00:00+00', '01900000-0000-7000-8000-000000000001');


--
-- Data for Name: alert_wakes; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.alert_wakes (number, domain_id) OVERRIDING SYSTEM VALUE VALUES (1, '01900000-0000-7000-8000-000000000021');
INSERT INTO public.alert_wakes (number, domain_id) OVERRIDING SYSTEM VALUE VALUES (2, '01900000-0000-7000-8000-000000000021');


--
-- Data for Name: analytics_actions; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.analytics_actions (domain_id, kind, day, value, page, hits, visitors, sessions, exits, results, last_at) VALUES ('01900000-0000-7000-8000-000000000021', 1, '2026-01-03', 3, 0, 1, 1, 1, 1, NULL, '2026-01-03 10:01:00+00');


--
-- Data for Name: analytics_beacons; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.analytics_beacons (domain_id, beacon_id, stored_at) VALUES ('01900000-0000-7000-8000-000000000021', '01900000-0000-7000-8000-0000000000a1', '2026-01-04 10:01:00+00');


--
-- Data for Name: analytics_commerce_default; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.analytics_commerce_default (domain_id, at, hit_id, session_id, visitor_id, step, value_cents, currency, is_repeated) VALUES ('01900000-0000-7000-8000-000000000021', '2026-01-04 10:01:00+00', 22, 11, 7, 3, 1990, '', false);


--
-- Data for Name: analytics_daily; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.analytics_daily (domain_id, dimension, day, value, visitors, sessions, pageviews, bounces, duration_ms, events, second) VALUES ('01900000-0000-7000-8000-000000000021', -1, '2026-01-03', 0, 1, 1, 2, 0, 60000, 0, 0);


--
-- Data for Name: analytics_dimension_orders; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.analytics_dimension_orders (domain_id, dimension, day, value, second, currency, orders, valued_orders, revenue_cents) VALUES ('01900000-0000-7000-8000-000000000021', 1, '2026-01-03', 2, 0, '', 1, 1, 1990);


--
-- Data for Name: analytics_engagements_default; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.analytics_engagements_default (domain_id, at, id, session_id, load_id, page, visible_ms, scroll_pct) VALUES ('01900000-0000-7000-8000-000000000021', '2026-01-04 10:01:00+00', 31, 11, 41, 1, 15000, 60);


--
-- Data for Name: analytics_evaluations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.analytics_evaluations (id, experiment_id, status, method, metric, requested_at, completed_at, progress_pct, job_id, outcome) VALUES ('01900000-0000-7000-8000-0000000000d1', '01900000-0000-7000-8000-0000000000c1', 'completed', 'mann_whitney', 'visitors', '2026-01-04 11:00:00+00', '2026-01-04 11:00:00+00', 100, NULL, '{"verdict": "inconclusive", "pre_days": 1, "warnings": ["short_pre_period"], "post_days": 2}');


--
-- Data for Name: analytics_experiments; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.analytics_experiments (id, domain_id, name, hypothesis, status, method, metric, control_urls, variant_urls, pre_start, pre_end, post_start, post_end, created_at, updated_at, created_by) VALUES ('01900000-0000-7000-8000-0000000000c1', '01900000-0000-7000-8000-000000000021', 'Shorter titles', NULL, 'running', 'mann_whitney', 'visitors', '{}', '{/}', NULL, '2026-01-01', '2026-01-02', NULL, '2026-01-04 10:00:00+00', '2026-01-04 11:00:00+00', '01900000-0000-7000-8000-000000000001');


--
-- Data for Name: analytics_hits_default; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.analytics_hits_default (domain_id, at, id, session_id, visitor_id, kind, page, event, link, term, results, channel, source, medium, campaign, referrer, country, device, browser, os) VALUES ('01900000-0000-7000-8000-000000000021', '2026-01-04 10:00:00+00', 21, 11, 7, 0, 1, NULL, NULL, NULL, NULL, 18, 2, NULL, NULL, NULL, NULL, 0, NULL, NULL);
INSERT INTO public.analytics_hits_default (domain_id, at, id, session_id, visitor_id, kind, page, event, link, term, results, channel, source, medium, campaign, referrer, country, device, browser, os) VALUES ('01900000-0000-7000-8000-000000000021', '2026-01-04 10:01:00+00', 22, 11, 7, 1, 1, 3, NULL, NULL, NULL, 18, 2, NULL, NULL, NULL, NULL, 0, NULL, NULL);


--
-- Data for Name: analytics_items_default; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.analytics_items_default (domain_id, at, hit_id, place, session_id, step, product, name, category, brand, variant, price_cents, quantity) VALUES ('01900000-0000-7000-8000-000000000021', '2026-01-04 10:01:00+00', 22, 0, 11, 3, 6, NULL, NULL, NULL, NULL, 1990, 1);


--
-- Data for Name: analytics_new_values; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.analytics_new_values (domain_id, dimension, day, made) VALUES ('01900000-0000-7000-8000-000000000021', 0, '2026-01-04', 1);


--
-- Data for Name: analytics_orders; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.analytics_orders (domain_id, order_id, ordered_at, hit_id, value_cents, currency) VALUES ('01900000-0000-7000-8000-000000000021', 'T1', '2026-01-04 10:01:00+00', 22, 1990, '');


--
-- Data for Name: analytics_pages; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.analytics_pages (domain_id, grain, part, starts_on, page, visitors, pageviews, sessions, entries, exits, bounces, engaged_ms, engaged_views, scroll_pct, scrolled_views) VALUES ('01900000-0000-7000-8000-000000000021', 0, 0, '2026-01-03', 1, 1, 2, 1, 1, 1, 0, 15000, 1, 60, 1);


--
-- Data for Name: analytics_progress; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.analytics_progress (domain_id, first_at, last_at, commerce_at, rolled_until) VALUES ('01900000-0000-7000-8000-000000000021', '2026-01-03 10:00:00+00', '2026-01-04 10:01:00+00', '2026-01-04 10:01:00+00', '2026-01-04 00:00:00+00');


--
-- Data for Name: analytics_properties_default; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.analytics_properties_default (domain_id, at, hit_id, place, session_id, visitor_id, event, property, text, number, flag) VALUES ('01900000-0000-7000-8000-000000000021', '2026-01-04 10:01:00+00', 22, 0, 11, 7, 3, 4, 5, NULL, NULL);


--
-- Data for Name: analytics_revenue; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.analytics_revenue (domain_id, day, currency, orders, revenue_cents, refunds, refunded_cents, views, add_to_carts, checkouts, valued_orders, repeated_orders, items_sold) VALUES ('01900000-0000-7000-8000-000000000021', '2026-01-03', '', 1, 1990, 0, 0, 0, 0, 0, 0, 0, NULL);


--
-- Data for Name: analytics_sessions_default; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.analytics_sessions_default (domain_id, started_at, id, visitor_id, ended_at, pageviews, events, clicks, entry_page, entry_at, exit_page, exit_at, channel, source, medium, campaign, term, content, referrer, referrer_path, country, region, city, device, browser, browser_version, os, os_version, screen) VALUES ('01900000-0000-7000-8000-000000000021', '2026-01-04 10:00:00+00', 11, 7, '2026-01-04 10:01:00+00', 1, 1, 0, 1, '2026-01-04 10:00:00+00', 1, '2026-01-04 10:00:00+00', 18, 2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL);


--
-- Data for Name: analytics_sites; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.analytics_sites (domain_id, settings, created_at, updated_at, updated_by) VALUES ('01900000-0000-7000-8000-000000000021', '{"enabled": true, "currency": "EUR", "excluded_ips": [], "allowed_hosts": [], "search_params": ["q"], "excluded_paths": [], "store_page_titles": true, "store_search_terms": true, "download_extensions": ["pdf"], "excluded_query_params": []}', '2026-01-02 11:00:00+00', '2026-01-03 11:00:00+00', '01900000-0000-7000-8000-000000000001');


--
-- Data for Name: analytics_titles; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.analytics_titles (domain_id, page, title) VALUES ('01900000-0000-7000-8000-000000000021', 1, 'Ada''s shop');


--
-- Data for Name: analytics_values; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.analytics_values (id, domain_id, dimension, value) OVERRIDING SYSTEM VALUE VALUES (1, '01900000-0000-7000-8000-000000000021', 0, '/');
INSERT INTO public.analytics_values (id, domain_id, dimension, value) OVERRIDING SYSTEM VALUE VALUES (2, '01900000-0000-7000-8000-000000000021', 1, 'direct');
INSERT INTO public.analytics_values (id, domain_id, dimension, value) OVERRIDING SYSTEM VALUE VALUES (3, '01900000-0000-7000-8000-000000000021', 16, 'purchase');
INSERT INTO public.analytics_values (id, domain_id, dimension, value) OVERRIDING SYSTEM VALUE VALUES (4, '01900000-0000-7000-8000-000000000021', 17, 'color');
INSERT INTO public.analytics_values (id, domain_id, dimension, value) OVERRIDING SYSTEM VALUE VALUES (5, '01900000-0000-7000-8000-000000000021', 18, 'blue');
INSERT INTO public.analytics_values (id, domain_id, dimension, value) OVERRIDING SYSTEM VALUE VALUES (6, '01900000-0000-7000-8000-000000000021', 21, 'P1');


--
-- Data for Name: analytics_visitors; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.analytics_visitors (domain_id, visitor_id, visits, touched_at) VALUES ('01900000-0000-7000-8000-000000000021', 7, '{11,1767520800000000,1767520860000000}', '2026-01-04 10:01:00+00');


--
-- Data for Name: api_key_secrets; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.api_key_secrets (digest, key_id, shown, created_at, valid_until) VALUES ('\x8fa3aab2faa9b79e0a0398da5b5abd0780142442a5be80b9a64608d718cb1fcd', '01900000-0000-7000-8000-000000000201', 'svc_dev_abcdefgh', '2026-01-02 12:00:00+00', NULL);


--
-- Data for Name: api_keys; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.api_keys (id, workspace_id, created_by, name, scopes, allowlist, created_at, expires_at, revoked_at, last_used_at) VALUES ('01900000-0000-7000-8000-000000000201', '01900000-0000-7000-8000-000000000011', '01900000-0000-7000-8000-000000000001', 'ci', '{read:uptime}', '{192.0.2.0/24}', '2026-01-02 12:00:00+00', NULL, NULL, '2026-01-04 09:00:00+00');


--
-- Data for Name: audit_log; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.audit_log (id, at, actor, action, subject_kind, subject_id, details, source, workspace_id) VALUES ('01900000-0000-7000-8000-000000000101', '2026-01-30 10:00:00+00', 'cli:ada', 'switch.on', 'switch', 'read-only-mode', '{}', NULL, NULL);


--
-- Data for Name: collect_bots; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.collect_bots (domain_id, day, beacons) VALUES ('01900000-0000-7000-8000-000000000021', '2026-01-02', 7);


--
-- Data for Name: collect_salts; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.collect_salts (day, salt) VALUES ('2026-01-02', '\xcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd');


--
-- Data for Name: collect_sites; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.collect_sites (domain_id, site_key, secret_digest, created_at) VALUES ('01900000-0000-7000-8000-000000000021', 'pst_0123456789ABCDEFGHabcd', '\xabababababababababababababababababababababababababababababababab', '2026-01-02 10:00:00+00');


--
-- Data for Name: credit_balances; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.credit_balances (workspace_id, cycle_start, cycle_end, used, granted, capped_members) VALUES ('01900000-0000-7000-8000-000000000011', '2026-01-02 00:00:00+00', '2026-02-02 00:00:00+00', 5, 1000000, 1);


--
-- Data for Name: credit_log_default; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.credit_log_default (workspace_id, occurred_at, request_id, credential_id, domain_id, operation, status, cost, cache) VALUES ('01900000-0000-7000-8000-000000000011', '2026-01-04 09:00:00+00', '01900000-0000-7000-8000-000000000111', '01900000-0000-7000-8000-000000000201', '01900000-0000-7000-8000-000000000021', 'listUptimeChecks', 200, 5, 'miss');


--
-- Data for Name: credit_member_usage; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.credit_member_usage (workspace_id, user_id, cycle_start, used) VALUES ('01900000-0000-7000-8000-000000000011', '01900000-0000-7000-8000-000000000001', '2026-01-02 00:00:00+00', 5);


--
-- Data for Name: crux_figures; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.crux_figures (target_id, form_factor, grain, period_end, figures) VALUES ('01900000-0000-7000-8000-0000000000e1', 'mobile', 'week', '2025-12-27', '{"metrics": {"lcp": {"p75": 1900, "histogram": []}}}');


--
-- Data for Name: crux_lookups; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.crux_lookups (run_id, domain_id, record, made_at) VALUES ('01900000-0000-7000-8000-0000000000b2', '01900000-0000-7000-8000-000000000021', NULL, '2026-01-05 10:01:00+00');


--
-- Data for Name: crux_targets; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.crux_targets (id, domain_id, workspace_id, url, label, status, origin, origin_source, url_normalized, next_collection_at, leased_until, asked_at, failures, last_failure, fetched_at, first_seen_data_on, mobile_passing_since, desktop_passing_since, created_at) VALUES ('01900000-0000-7000-8000-0000000000e1', '01900000-0000-7000-8000-000000000021', '01900000-0000-7000-8000-000000000011', NULL, NULL, 'active', 'https://ada.example', 'exact', NULL, '2026-01-05 10:00:00+00', NULL, '2026-01-04 10:00:00+00', 0, NULL, '2026-01-04 10:00:00+00', '2025-12-27', '2025-12-27', NULL, '2026-01-02 11:00:00+00');


--
-- Data for Name: domain_registrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.domain_registrations (name, next_check_at, leased_until, asked_at, failures, last_failure, answer, answered_at, changes, workspace_id) VALUES ('ada.example', '2026-01-05 10:00:00+00', NULL, '2026-01-04 10:00:00+00', 0, NULL, '{"registrar": "A registrar"}', '2026-01-04 10:00:00+00', '[]', NULL);


--
-- Data for Name: domains; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.domains (id, workspace_id, hostname, display_name, verified, timezone_hint, created_at, deleted_at, erasing_at) VALUES ('01900000-0000-7000-8000-000000000021', '01900000-0000-7000-8000-000000000011', 'ada.example', 'Ada', true, 'Europe/Vienna', '2026-01-02 11:00:00+00', NULL, NULL);
INSERT INTO public.domains (id, workspace_id, hostname, display_name, verified, timezone_hint, created_at, deleted_at, erasing_at) VALUES ('01900000-0000-7000-8000-000000000022', '01900000-0000-7000-8000-000000000011', 'gone.example', NULL, false, NULL, '2026-01-02 11:00:00+00', '2026-01-05 11:00:00+00', NULL);


--
-- Data for Name: idempotency_records; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.idempotency_records (credential_id, key, fingerprint, status, body, created_at) VALUES ('01900000-0000-7000-8000-000000000201', 'a key', '\xc66790da5943c4466dd80634deb63f4e19f07e7f81624f222b86fecf9fff6445', 202, '\x7b2264617461223a207b7d7d', '2026-01-04 09:00:00+00');


--
-- Data for Name: indexing_changes_default; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.indexing_changes_default (id, domain_id, url_id, changed_at, field, before, after, direction) VALUES ('01900000-0000-7000-8000-0000000001c2', '01900000-0000-7000-8000-000000000021', '01900000-0000-7000-8000-0000000001c1', '2026-01-04 10:00:00+00', 'verdict', 'neutral', 'pass', 'improved');


--
-- Data for Name: indexing_days; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.indexing_days (domain_id, day, inspected, indexed, unknown, by_reason, fetch_errors, canonical_mismatches, rich_result_errors, median_crawl_age_days) VALUES ('01900000-0000-7000-8000-000000000021', '2026-01-04', 1, 1, 0, '{"submitted_and_indexed": 1}', 0, 0, 0, 2);


--
-- Data for Name: indexing_quota; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.indexing_quota (site_url, day, used, rotation, minute, minute_used) VALUES ('sc-domain:ada.example', '2026-01-04', 1, 1, '-infinity', 0);


--
-- Data for Name: indexing_removed; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.indexing_removed (domain_id, url, removed_at) VALUES ('01900000-0000-7000-8000-000000000021', 'https://ada.example/old', '2026-01-03 10:00:00+00');


--
-- Data for Name: indexing_results_default; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.indexing_results_default (url_id, inspected_at, domain_id, verdict, coverage_reason, page_fetch_state, last_crawl_at) VALUES ('01900000-0000-7000-8000-0000000001c1', '2026-01-04 10:00:00+00', '01900000-0000-7000-8000-000000000021', 'pass', 'submitted_and_indexed', 'successful', '2026-01-02 10:00:00+00');


--
-- Data for Name: indexing_rich_issues; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.indexing_rich_issues (url_id, domain_id, kind, severity, message) VALUES ('01900000-0000-7000-8000-0000000001c1', '01900000-0000-7000-8000-000000000021', 'FAQ', 'warning', 'Missing field');


--
-- Data for Name: indexing_rich_types; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.indexing_rich_types (url_id, domain_id, kind, items, severity) VALUES ('01900000-0000-7000-8000-0000000001c1', '01900000-0000-7000-8000-000000000021', 'FAQ', 1, 'warning');


--
-- Data for Name: indexing_run_urls; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.indexing_run_urls (run_id, place, url, url_id, status, error_code, inspected_at, inspection) VALUES ('01900000-0000-7000-8000-0000000000b4', 0, 'https://ada.example/', '01900000-0000-7000-8000-0000000001c1', 'failed', NULL, NULL, NULL);


--
-- Data for Name: indexing_runs; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.indexing_runs (run_id, domain_id, site_url, label, has_results) VALUES ('01900000-0000-7000-8000-0000000000b4', '01900000-0000-7000-8000-000000000021', 'sc-domain:ada.example', 'First', true);


--
-- Data for Name: indexing_sites; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.indexing_sites (domain_id, workspace_id, next_round_at, leased_until, round_at, gathered_at, hurried_at, failures, last_failure) VALUES ('01900000-0000-7000-8000-000000000021', '01900000-0000-7000-8000-000000000011', '2026-01-04 11:00:00+00', NULL, '2026-01-04 10:00:00+00', '2026-01-04 09:00:00+00', NULL, 0, NULL);


--
-- Data for Name: indexing_urls; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.indexing_urls (id, domain_id, url, source, is_valuable, created_at, next_inspection_at, failures, last_error_code, inspected_at, verdict, coverage_state, coverage_reason, robots_txt_state, indexing_state, page_fetch_state, crawled_as, last_crawl_at, google_canonical, user_canonical, canonical_kind, has_rich_errors, inspection) VALUES ('01900000-0000-7000-8000-0000000001c1', '01900000-0000-7000-8000-000000000021', 'https://ada.example/', 'manual', false, '2026-01-03 10:00:00+00', '2026-01-05 10:00:00+00', 0, NULL, '2026-01-04 10:00:00+00', 'pass', 'Submitted and indexed', 'submitted_and_indexed', 'allowed', 'indexing_allowed', 'successful', 'mobile', '2026-01-02 10:00:00+00', NULL, NULL, NULL, false, '{"amp": null, "verdict": "pass", "sitemaps": [], "crawled_as": "mobile", "rich_results": [{"kind": "FAQ", "items": []}], "last_crawl_at": "2026-01-02T10:00:00Z", "coverage_state": "Submitted and indexed", "indexing_state": "indexing_allowed", "referring_urls": [], "user_canonical": null, "coverage_reason": "submitted_and_indexed", "inspection_link": null, "google_canonical": "https://ada.example/", "page_fetch_state": "successful", "robots_txt_state": "allowed", "rich_results_verdict": "pass"}');


--
-- Data for Name: jobs; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.jobs (id, kind, lane, payload, state, run_at, leased_until, worker, attempts, max_attempts, last_error, created_at, finished_at, workspace_id, run_id, started_at, error_code, error_detail, total_items, completed_items, failed_items) VALUES ('01900000-0000-7000-8000-000000000121', 'uptime.check', 'eu', '{"domain": "ada.example"}', 'queued', '2026-01-04 09:00:00+00', NULL, NULL, 0, 5, NULL, '2026-01-04 09:00:00+00', NULL, '01900000-0000-7000-8000-000000000011', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.jobs (id, kind, lane, payload, state, run_at, leased_until, worker, attempts, max_attempts, last_error, created_at, finished_at, workspace_id, run_id, started_at, error_code, error_detail, total_items, completed_items, failed_items) VALUES ('01900000-0000-7000-8000-000000000122', 'uptime.check', NULL, '{}', 'dead', '2026-01-04 09:00:00+00', NULL, NULL, 5, 5, 'no such domain', '2026-01-04 09:00:00+00', '2026-01-04 09:10:00+00', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);


--
-- Data for Name: members; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.members (workspace_id, user_id, role, created_at, credit_cap) VALUES ('01900000-0000-7000-8000-000000000011', '01900000-0000-7000-8000-000000000001', 'owner', '2026-01-02 10:00:00+00', NULL);
INSERT INTO public.members (workspace_id, user_id, role, created_at, credit_cap) VALUES ('01900000-0000-7000-8000-000000000011', '01900000-0000-7000-8000-000000000002', 'viewer', '2026-01-03 10:00:00+00', 500);


--
-- Data for Name: metric_events; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.metric_events (number, domain_id, module, metric, at, recorded_at, context) OVERRIDING SYSTEM VALUE VALUES (1, '01900000-0000-7000-8000-000000000021', 'uptime', 'incident_changed', '2026-01-04 09:10:00+00', '2026-11-26 17:49:53.84722+00', '{"incident_id": "01900000-0000-7000-8000-000000000311"}');
INSERT INTO public.metric_events (number, domain_id, module, metric, at, recorded_at, context) OVERRIDING SYSTEM VALUE VALUES (2, '01900000-0000-7000-8000-000000000021', 'uptime', 'ssl_certificate_changed', '2026-01-04 10:00:00+00', '2026-01-04 10:00:01+00', '{"replaced_fingerprint": "ab"}');


--
-- Data for Name: notices; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: notification_read_marks; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.notification_read_marks (user_id, domain_id, kind, read_before, read_at) VALUES ('01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-000000000021', 'alert', '2026-01-04 08:50:00+00', '2026-01-04 09:00:00+00');


--
-- Data for Name: notification_reads; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.notification_reads (user_id, notification_id, read_at) VALUES ('01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-000000000083', '2026-01-04 09:30:00+00');


--
-- Data for Name: notifications; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.notifications (id, workspace_id, domain_id, kind, severity, module, title, body, data, alert_id, resource_path, created_at, resolved_at) VALUES ('01900000-0000-7000-8000-000000000083', '01900000-0000-7000-8000-000000000011', '01900000-0000-7000-8000-000000000021', 'alert', 'warning', 'uptime', 'ada.example: Response time is up 20 % to 240 ms', 'The response time over the last hour is 240 ms.', '{"value": 240}', '01900000-0000-7000-8000-000000000082', '/alerts/history/01900000-0000-7000-8000-000000000082', '2026-01-04 09:00:00+00', NULL);


--
-- Data for Name: oauth_clients; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.oauth_clients (id, name, redirect_uris, auth_method, secret_digest, verified_at, created_at, granted_at) VALUES ('01900000-0000-7000-8000-000000000211', 'An app', '{https://app.example/callback}', 'client_secret_basic', '\x67e05decaf93642f954c9017774840456902ddb754346c662fb3a6dabe01c384', '2026-01-03 12:00:00+00', '2026-01-02 12:00:00+00', '2026-01-04 12:00:00+00');


--
-- Data for Name: oauth_codes; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.oauth_codes (digest, client_id, user_id, redirect_uri, resource, scopes, workspace_ids, code_challenge, expires_at, grant_id) VALUES ('\x3749cb48ee6e8dd6738012fc45cdabda219ccc1a1c46b6525d0f2072a65d90e4', '01900000-0000-7000-8000-000000000211', '01900000-0000-7000-8000-000000000001', 'https://app.example/callback', 'https://api.example', '{read:uptime}', '{01900000-0000-7000-8000-000000000011}', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', '2026-01-04 12:01:00+00', '01900000-0000-7000-8000-000000000221');


--
-- Data for Name: oauth_decisions; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.oauth_decisions (request_id, lapses_at) VALUES ('01900000-0000-7000-8000-000000000231', '2026-01-04 12:10:00+00');


--
-- Data for Name: oauth_grants; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.oauth_grants (id, client_id, user_id, resource, scopes, workspace_ids, created_at, revoked_at, last_used_at) VALUES ('01900000-0000-7000-8000-000000000221', '01900000-0000-7000-8000-000000000211', '01900000-0000-7000-8000-000000000001', 'https://api.example', '{read:uptime}', '{01900000-0000-7000-8000-000000000011}', '2026-01-04 12:00:00+00', NULL, '2026-01-04 13:00:00+00');


--
-- Data for Name: oauth_refresh_tokens; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.oauth_refresh_tokens (digest, grant_id, issued_at, expires_at, superseded_at) VALUES ('\xe3316e2bafebb6103a3418e8778c0adc960d40213a03a7e7f4fcd3426ed807bf', '01900000-0000-7000-8000-000000000221', '2026-01-04 12:00:00+00', '2026-02-03 12:00:00+00', '2026-01-04 13:00:00+00');
INSERT INTO public.oauth_refresh_tokens (digest, grant_id, issued_at, expires_at, superseded_at) VALUES ('\xcefbd20e282102766197e69da08fecca890a1c386f514d1e6883dcb3da8939aa', '01900000-0000-7000-8000-000000000221', '2026-01-04 13:00:00+00', '2026-02-03 13:00:00+00', NULL);


--
-- Data for Name: oauth_signing_keys; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.oauth_signing_keys (kid, private_key, signs_from, created_at) VALUES ('NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs', '\x6e6f206b6579', '2026-01-02 10:10:00+00', '2026-01-02 10:00:00+00');


--
-- Data for Name: pending_sign_ins; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.pending_sign_ins (digest, user_id, expires_at, attempts) VALUES ('\xe02d90c5c677bab37a45407da4a8284a38fac8862f84d0af193d414c25dd8ec9', '01900000-0000-7000-8000-000000000001', '2026-01-04 12:10:00+00', 1);


--
-- Data for Name: plan_quotas; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.plan_quotas (plan_key, resource, quota_limit) VALUES ('default', 'inspector_urls', 2000);


--
-- Data for Name: plans; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.plans (key, name, credits_per_cycle, modules) VALUES ('default', 'Default', 1000000, '{uptime,rum,crux,synthetic,gsc,indexing,robots,sitemap,analytics,alerts,notifications,reports}');


--
-- Data for Name: quota_usage; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.quota_usage (workspace_id, resource, period_start, used) VALUES ('01900000-0000-7000-8000-000000000011', 'tracked_urls_crux', '1970-01-01', 12);


--
-- Data for Name: recovery_codes; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.recovery_codes (digest, user_id) VALUES ('\x9fc0b046d70855bccbb62df9aeb05637c8100a0d1f80e8b0fa5b312c03879711', '01900000-0000-7000-8000-000000000001');


--
-- Data for Name: regions; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.regions (key, registered_at, name, continent, country) VALUES ('eu', '2026-01-02 10:00:00+00', 'Frankfurt', 'Europe', 'DE');


--
-- Data for Name: report_deliveries; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.report_deliveries (id, run_id, recipient_id, state, attempts, last_error, created_at, ended_at) VALUES ('01900000-0000-7000-8000-0000000001b6', '01900000-0000-7000-8000-0000000001b3', '01900000-0000-7000-8000-0000000001b4', 'sent', 1, NULL, '2026-01-04 10:01:00+00', '2026-01-04 10:01:00+00');


--
-- Data for Name: report_questions; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.report_questions (id, workspace_id, address_digest, is_refusal, at) VALUES ('01900000-0000-7000-8000-0000000001b5', '01900000-0000-7000-8000-000000000011', '\x00', false, '2026-01-04 10:00:00+00');


--
-- Data for Name: report_recipients; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.report_recipients (id, template_id, address, address_key, asked_at, asked_until, link_digest, confirmed_at, unsubscribed_at, unsubscribe_token) VALUES ('01900000-0000-7000-8000-0000000001b4', '01900000-0000-7000-8000-0000000001b1', 'Client@shop.example', 'client@shop.example', '2026-01-04 10:00:00+00', '2026-01-11 10:00:00+00', NULL, '2026-01-04 11:00:00+00', NULL, '877537dc-0ce5-47e6-9d1c-ae8bd4ff2fff');


--
-- Data for Name: report_runs; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.report_runs (run_id, template_id, template_name, trigger, format, period, first_day, last_day, ordered, result, has_result, is_mailed) VALUES ('01900000-0000-7000-8000-0000000001b3', '01900000-0000-7000-8000-0000000001b1', 'Monthly', 'api', 'pdf', 'last_month', '2025-12-01', '2025-12-31', '{"locale": "de", "branding": {"logo_url": null, "accent_color": null}, "compares": true, "sections": {"version": 1, "sections": [{"title": null, "enabled": true, "section": "uptime", "widgets": []}]}}', '{"pages": 1, "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "size_bytes": 4}', true, false);


--
-- Data for Name: report_templates; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.report_templates (id, domain_id, workspace_id, name, name_key, description, sections, locale, format, default_period, compare_previous, branding, schedule, next_run_at, leased_until, requester_kind, credential_id, last_run_at, created_by, created_at, updated_at, recipients_count) VALUES ('01900000-0000-7000-8000-0000000001b1', '01900000-0000-7000-8000-000000000021', '01900000-0000-7000-8000-000000000011', 'Monthly', 'monthly', 'For the owner', '{"version": 1, "sections": [{"title": null, "enabled": true, "section": "uptime", "widgets": [{"title": "Availability", "config": {}, "widget": "kpi_row", "enabled": true}]}]}', 'de', 'pdf', 'last_month', true, '{"logo_url": null, "accent_color": "#0a7f5c"}', '{"hour": 8, "enabled": true, "weekday": null, "timezone": "Europe/Berlin", "frequency": "monthly", "day_of_month": 1}', '2026-02-01 07:00:00+00', NULL, 'api_key', '01900000-0000-7000-8000-0000000001b2', NULL, '01900000-0000-7000-8000-000000000001', '2026-01-04 10:00:00+00', '2026-01-04 10:00:00+00', 1);


--
-- Data for Name: robots_checks_default; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.robots_checks_default (id, domain_id, checked_at, run_id, outcome, status_code, response_ms, size_bytes, error_class, version_id) VALUES ('01900000-0000-7000-8000-0000000001b1', '01900000-0000-7000-8000-000000000021', '2026-01-04 10:00:00+00', NULL, 'unchanged', 200, 84.25, 13, NULL, '01900000-0000-7000-8000-0000000001a1');


--
-- Data for Name: robots_sites; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.robots_sites (domain_id, workspace_id, next_check_at, leased_until, robots_url, state, status_code, last_checked_at, last_changed_at, failures, version_id, good_fetch, issues, issue_counts, sitemaps, sitemaps_asked_at, blocks_all, blocks_googlebot, failing_test_urls) VALUES ('01900000-0000-7000-8000-000000000021', '01900000-0000-7000-8000-000000000011', '2026-01-04 11:00:00+00', NULL, 'https://ada.example/robots.txt', 'ok', 200, '2026-01-04 10:00:00+00', NULL, 0, '01900000-0000-7000-8000-0000000001a1', '{"state": "ok", "headers": {"etag": null, "content_type": "text/plain", "cache_control": null, "last_modified": null}, "final_url": "https://ada.example/robots.txt", "redirects": [], "fetched_at": "2026-01-04T10:00:00Z", "response_ms": 84.25, "status_code": 200}', '[]', '{"info": 0, "error": 0, "warning": 0}', '[]', NULL, false, false, 0);


--
-- Data for Name: robots_test_urls; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.robots_test_urls (id, domain_id, "position", url, user_agent, expectation) VALUES ('01900000-0000-7000-8000-0000000001c1', '01900000-0000-7000-8000-000000000021', 0, 'https://ada.example/', 'Googlebot', 'allowed');


--
-- Data for Name: robots_versions; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.robots_versions (id, domain_id, detected_at, replaced_at, state, status_code, content, sha256, size_bytes, rules_added, rules_removed, groups_changed, sitemaps_changed, impact, change_summary, access_changes, issues, issues_added, issues_resolved) VALUES ('01900000-0000-7000-8000-0000000001a1', '01900000-0000-7000-8000-000000000021', '2026-01-03 10:00:00+00', NULL, 'ok', 200, '\x557365722d6167656e743a202a', 'd9066d29c1dfed62e1bbde2c102079a5ccc0c1e9f669644fd89fd652cdc156bb', 13, 0, 0, 0, 0, 'none', 'the first version that was seen', '[]', '[]', '[]', '[]');


--
-- Data for Name: rum_beacons; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.rum_beacons (domain_id, beacon_id, stored_at) VALUES ('01900000-0000-7000-8000-000000000021', '01900000-0000-7000-8000-0000000000f1', '2026-01-04 10:00:00+00');


--
-- Data for Name: rum_cls_default; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.rum_cls_default (domain_id, at, load_id, element, element_id, element_class, shift, shift_at_ms, load_state) VALUES ('01900000-0000-7000-8000-000000000021', '2026-01-04 10:00:00+00', 7, 1, NULL, NULL, 0.01, 1800, NULL);


--
-- Data for Name: rum_daily; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.rum_daily (domain_id, day, device, views, core_views, good_views, error_views, errors, back_forwards, restored, lcp_good, lcp_fair, lcp_poor, inp_good, inp_fair, inp_poor, cls_good, cls_fair, cls_poor, fcp_good, fcp_fair, fcp_poor, ttfb_good, ttfb_fair, ttfb_poor) VALUES ('01900000-0000-7000-8000-000000000021', '2026-01-04', 1, 1, 1, 1, 1, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0);


--
-- Data for Name: rum_engagements_default; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.rum_engagements_default (domain_id, at, load_id, visible_ms, scroll_pct, interactions, rage_clicks, dead_clicks, tells_reasons) VALUES ('01900000-0000-7000-8000-000000000021', '2026-01-04 10:00:00+00', 7, 15000, 60, NULL, NULL, NULL, true);


--
-- Data for Name: rum_error_groups; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.rum_error_groups (kind, id, domain_id, message, name, source, is_handled, filename, line, column_number, stack, causes, is_third_party, is_opaque, first_seen_at, last_seen_at) VALUES (2, '01900000-0000-7000-8000-0000000000f2', '01900000-0000-7000-8000-000000000021', 'x is undefined', 'TypeError', 0, false, 'https://ada.example/app.js', 3, 14, 'TypeError: x is undefined', '{}', false, false, '2026-01-04 10:00:00+00', '2026-01-04 10:00:00+00');


--
-- Data for Name: rum_errors_default; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.rum_errors_default (domain_id, at, load_id, place, kind, line, column_number) VALUES ('01900000-0000-7000-8000-000000000021', '2026-01-04 10:00:00+00', 7, 0, 2, 3, 14);


--
-- Data for Name: rum_frames_default; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.rum_frames_default (domain_id, at, load_id, place, kind, start_ms, duration_ms, blocking_ms, style_layout_ms) VALUES ('01900000-0000-7000-8000-000000000021', '2026-01-04 10:00:00+00', 7, 0, 1, 100, 180, 130, NULL);


--
-- Data for Name: rum_hist; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.rum_hist (domain_id, metric, day, device, bucket, n) VALUES ('01900000-0000-7000-8000-000000000021', 0, '2026-01-04', 1, 359, 1);


--
-- Data for Name: rum_inp_default; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.rum_inp_default (domain_id, at, load_id, element, element_id, element_class, interaction, load_state, input_delay_ms, processing_ms, presentation_ms, script_ms, style_layout_ms, paint_ms, unattributed_ms, script_url, function, invoker, invoker_type, subpart, longest_ms, forced_layout_ms) VALUES ('01900000-0000-7000-8000-000000000021', '2026-01-04 10:00:00+00', 7, 1, NULL, NULL, 0, NULL, 12, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);


--
-- Data for Name: rum_lcp_default; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.rum_lcp_default (domain_id, at, load_id, element, element_id, element_class, resource, kind, ttfb_ms, load_delay_ms, load_duration_ms, render_delay_ms, bytes, has_high_priority, is_lazy, is_preloaded) VALUES ('01900000-0000-7000-8000-000000000021', '2026-01-04 10:00:00+00', 7, 1, NULL, NULL, NULL, 1, 200, NULL, NULL, 1000, NULL, NULL, NULL, NULL);


--
-- Data for Name: rum_loads; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.rum_loads (domain_id, load_id, at, revision, stored_at) VALUES ('01900000-0000-7000-8000-000000000021', 7, '2026-01-04 10:00:00+00', 0, '2026-01-04 10:00:00+00');


--
-- Data for Name: rum_new_texts; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.rum_new_texts (domain_id, dimension, day, made) VALUES ('01900000-0000-7000-8000-000000000021', 0, '2026-01-04', 1);


--
-- Data for Name: rum_progress; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.rum_progress (domain_id, first_at, last_at, rolled_until) VALUES ('01900000-0000-7000-8000-000000000021', '2026-01-04 10:00:00+00', '2026-01-04 10:00:00+00', '2026-01-05 00:00:00+00');


--
-- Data for Name: rum_reasons_default; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.rum_reasons_default (domain_id, at, load_id, place, reason, kind) VALUES ('01900000-0000-7000-8000-000000000021', '2026-01-04 10:00:00+00', 7, 0, 1, 0);


--
-- Data for Name: rum_resources_default; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.rum_resources_default (domain_id, at, load_id, place, url, host, kind, method, start_ms, duration_ms, dns_ms, connect_ms, tls_ms, ttfb_ms, download_ms, transfer_bytes, decoded_bytes, protocol, is_render_blocking, is_cached, status, is_third_party) VALUES ('01900000-0000-7000-8000-000000000021', '2026-01-04 10:00:00+00', 7, 0, 1, 1, 1, NULL, 10, 70, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false);


--
-- Data for Name: rum_scripts_default; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.rum_scripts_default (domain_id, at, load_id, place, frame, url, function, invoker, invoker_type, duration_ms, forced_layout_ms, is_third_party) VALUES ('01900000-0000-7000-8000-000000000021', '2026-01-04 10:00:00+00', 7, 0, 0, 1, NULL, NULL, NULL, 120, 40, false);


--
-- Data for Name: rum_server_timings_default; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.rum_server_timings_default (domain_id, at, load_id, place, name, duration_ms) VALUES ('01900000-0000-7000-8000-000000000021', '2026-01-04 10:00:00+00', 7, 0, 1, 53);


--
-- Data for Name: rum_sites; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.rum_sites (domain_id, settings, created_at, updated_at, updated_by) VALUES ('01900000-0000-7000-8000-000000000021', '{"enabled": true, "url_groups": [{"label": "/p/:product", "pattern": "/p/*"}], "respect_dnt": true, "sample_rate": 1.0, "collect_errors": true, "excluded_paths": [], "soft_navigations": false, "collect_resources": true, "excluded_countries": [], "collect_attribution": true, "ignored_query_params": []}', '2026-01-02 11:00:00+00', '2026-01-03 11:00:00+00', '01900000-0000-7000-8000-000000000001');


--
-- Data for Name: rum_texts; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.rum_texts (id, domain_id, dimension, value, used_on) OVERRIDING SYSTEM VALUE VALUES (1, '01900000-0000-7000-8000-000000000021', 0, 'https://ada.example/p/:product', '2026-01-04');
INSERT INTO public.rum_texts (id, domain_id, dimension, value, used_on) OVERRIDING SYSTEM VALUE VALUES (2, '01900000-0000-7000-8000-000000000021', 18, 'x is undefined', '2026-01-04');


--
-- Data for Name: rum_ttfb_default; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.rum_ttfb_default (domain_id, at, load_id, waiting_ms, cache_ms, dns_ms, connection_ms, request_ms, redirects) VALUES ('01900000-0000-7000-8000-000000000021', '2026-01-04 10:00:00+00', 7, 20, NULL, NULL, NULL, 180, 0);


--
-- Data for Name: rum_views_default; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.rum_views_default (domain_id, at, load_id, page, referrer, navigation, was_hidden, lcp_ms, inp_ms, cls, fcp_ms, ttfb_ms, dom_content_loaded_ms, load_ms, device, browser, browser_version, os, os_version, country, connection, rtt_ms, protocol, device_memory, viewport_width, viewport_height, errors, long_frames, blocking_ms) VALUES ('01900000-0000-7000-8000-000000000021', '2026-01-04 10:00:00+00', 7, 1, NULL, 0, false, 1200, 80, 0.01, 900, 200, NULL, NULL, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1, NULL, NULL);


--
-- Data for Name: runs; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.runs (id, domain_id, kind, status, requested_at, started_at, finished_at, result_seconds, expires_at, total_items, completed_items, failed_items, error_code, error_detail, requester_kind, credential_id, credits_charged, requested_items) VALUES ('01900000-0000-7000-8000-0000000000b1', '01900000-0000-7000-8000-000000000021', 'analytics_report', 'succeeded', '2026-01-05 10:00:00+00', '2026-01-05 10:00:00+00', '2026-01-05 10:01:00+00', 604800, '2026-01-12 10:01:00+00', NULL, NULL, NULL, NULL, NULL, 'api_key', '01900000-0000-7000-8000-000000000031', 25, NULL);
INSERT INTO public.runs (id, domain_id, kind, status, requested_at, started_at, finished_at, result_seconds, expires_at, total_items, completed_items, failed_items, error_code, error_detail, requester_kind, credential_id, credits_charged, requested_items) VALUES ('01900000-0000-7000-8000-0000000000b2', '01900000-0000-7000-8000-000000000021', 'crux_lookup', 'succeeded', '2026-01-05 10:00:00+00', '2026-01-05 10:00:00+00', '2026-01-05 10:01:00+00', 2592000, '2026-02-04 10:01:00+00', NULL, NULL, NULL, NULL, NULL, 'api_key', '01900000-0000-7000-8000-000000000031', 25, NULL);
INSERT INTO public.runs (id, domain_id, kind, status, requested_at, started_at, finished_at, result_seconds, expires_at, total_items, completed_items, failed_items, error_code, error_detail, requester_kind, credential_id, credits_charged, requested_items) VALUES ('01900000-0000-7000-8000-0000000001b3', '01900000-0000-7000-8000-000000000021', 'report', 'succeeded', '2026-01-04 10:00:00+00', '2026-01-04 10:00:00+00', '2026-01-04 10:01:00+00', 31536000, '2027-01-04 10:01:00+00', NULL, NULL, NULL, NULL, NULL, 'api_key', '01900000-0000-7000-8000-0000000001b2', 25, NULL);
INSERT INTO public.runs (id, domain_id, kind, status, requested_at, started_at, finished_at, result_seconds, expires_at, total_items, completed_items, failed_items, error_code, error_detail, requester_kind, credential_id, credits_charged, requested_items) VALUES ('01900000-0000-7000-8000-0000000000b4', '01900000-0000-7000-8000-000000000021', 'inspector', 'succeeded', '2026-01-05 10:00:00+00', '2026-01-05 10:00:00+00', '2026-01-05 10:01:00+00', 2592000, '2026-02-04 10:01:00+00', NULL, NULL, NULL, NULL, NULL, 'api_key', '01900000-0000-7000-8000-000000000031', 25, NULL);
INSERT INTO public.runs (id, domain_id, kind, status, requested_at, started_at, finished_at, result_seconds, expires_at, total_items, completed_items, failed_items, error_code, error_detail, requester_kind, credential_id, credits_charged, requested_items) VALUES ('01900000-0000-7000-8000-000000000131', '01900000-0000-7000-8000-000000000021', 'report', 'partial', '2026-01-04 09:00:00+00', '2026-01-04 09:01:00+00', '2026-01-04 09:02:00+00', 604800, '2026-01-11 09:02:00+00', 8, 7, 1, 'upstream-error', 'The registry answered 500.', 'api_key', '01900000-0000-7000-8000-000000000201', 25, NULL);


--
-- Data for Name: schema_functions; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.schema_functions (name, digest) VALUES ('bring_back_cycles', '\x5f356c1d44633be60685b23ad50dcebe5f1b6ca9808f913453a3bbd46b07a463');
INSERT INTO public.schema_functions (name, digest) VALUES ('claim_idempotency_key', '\x24b450b5e0be598c999aaa86bfd8e3fc97bcedf09e45161a93323b44291acaa0');
INSERT INTO public.schema_functions (name, digest) VALUES ('count_capped_members', '\x22c768347955876564008ce5dd426685ac0c4de1c48f327c637083ccb45cd7bc');
INSERT INTO public.schema_functions (name, digest) VALUES ('credit_cycle', '\x9695dfe1d9f50bed41d6e5d7c811a9cf0f1f2e1433b4841cd90b1360aab15bc6');
INSERT INTO public.schema_functions (name, digest) VALUES ('day_before', '\x8e4f8fd9077c6706663f1381f49d0b1f89adb818c3fd2dd605b7dbcf294ba617');
INSERT INTO public.schema_functions (name, digest) VALUES ('drop_partitions', '\x64bdc32a6830ad199c20b314451e4a2d87ea4371e2299843d88e486da399aa06');
INSERT INTO public.schema_functions (name, digest) VALUES ('ensure_partitions', '\xf60d69019a206d80d37f376c6bbf0b71e7a4f7e7080830bb306faff1b64ec925');
INSERT INTO public.schema_functions (name, digest) VALUES ('grant_by_plan', '\xb6a82bf279d16337fc6fc614cda3d02fe1fc7b036c21bfbe4830f719bbf206be');
INSERT INTO public.schema_functions (name, digest) VALUES ('grant_to_workspaces', '\x6efd8790c3d72c4da3cfdd1ec260661896595def275d1bb65f4a829b3821be6e');
INSERT INTO public.schema_functions (name, digest) VALUES ('move_runs', '\xd31f7bfb3d597ab968479d05d486b51def41bace46e8a8a57479dbdf3f0b45ee');
INSERT INTO public.schema_functions (name, digest) VALUES ('notify_change', '\x765e4f79b938a61ece387611ccb3a73a92bb7fc331da690bf8247ae2a4455369');
INSERT INTO public.schema_functions (name, digest) VALUES ('notify_change.switches', '\xdae0cd61ba77744b7330e511d4fc026cc5960546430f97a21ab0e85a5460990e');
INSERT INTO public.schema_functions (name, digest) VALUES ('open_credit_balance', '\x0bea29b40e916abc0d0fb9558bbf3b7c0145fc739b7351e645fd109bb55d6488');
INSERT INTO public.schema_functions (name, digest) VALUES ('quota_crossed', '\x66cd17151f218c64efa6e60def82e892a7040ce0dafd418c94af332b45a273b1');
INSERT INTO public.schema_functions (name, digest) VALUES ('quota_notice', '\x3e5495793d6c70325923be2033aa0b7ad87ca7b6d95c374308d71804ea0d1320');
INSERT INTO public.schema_functions (name, digest) VALUES ('settle_charges', '\xe01d5f6c56c09a39d8723b16e3bbcc42d55c0557eb9f691f32e0a2dc3d7039f8');
INSERT INTO public.schema_functions (name, digest) VALUES ('tell_of_quotas', '\xb8062f2231094f2ef4ef8c160061a9197ac33208d64eabbef814d4cf4ef909cd');
INSERT INTO public.schema_functions (name, digest) VALUES ('tell_of_run', '\xad42fab0a2fb7b3b7a5922ac567a22ed02e07b943fd9ffe2b1c8f26a47f37762');
INSERT INTO public.schema_functions (name, digest) VALUES ('uuid_v7', '\xb8d1dda16fb4a6f12846f833436f540283dcc754aaf4d9ad788a467c2befcb35');
INSERT INTO public.schema_functions (name, digest) VALUES ('erase_rows_of_domain', '\x32d54469935612b886bdb58adb7fbf5f1b633c0c117074c8112c8bf271e5c6ca');
INSERT INTO public.schema_functions (name, digest) VALUES ('notify_change.domains', '\x3871ba88be48f5db63c076080b5f9639b72246b1aaac04d4699dd5831f987b7d');
INSERT INTO public.schema_functions (name, digest) VALUES ('notify_change.members', '\x960bd825c66b7893722e5fb48b14c6387de1055554b212016a855b127ef96876');
INSERT INTO public.schema_functions (name, digest) VALUES ('notify_change.plans', '\x0499cbdbc57a26918822ff5c10ead6b775fd4b0fe04569ec71016770fb4a0dc9');
INSERT INTO public.schema_functions (name, digest) VALUES ('notify_change.users', '\xe651a8eb9d63192d5a3751d7769d3ac6fdcf97008ddb2d1aba135f014153f061');
INSERT INTO public.schema_functions (name, digest) VALUES ('notify_change.workspaces', '\x319447c58d25ce1ac6d081923a413a1f380e26b5c25a36a0c69b7b50cbbb1a2a');
INSERT INTO public.schema_functions (name, digest) VALUES ('notify_change.api_key_secrets', '\x27080b4680c29ad20e88d7a409f9dd7a8850a40ce40d0d62484eccafa76df2c8');
INSERT INTO public.schema_functions (name, digest) VALUES ('notify_change.api_keys', '\x260be8276ee6c96fe4b85bb266625d1dc212fa43f1aa6c27bbdf6fc292ab8d7c');
INSERT INTO public.schema_functions (name, digest) VALUES ('notify_change.oauth_clients', '\x7ff8a46a0bcf0a5d7b4c648b59be0fff9ca4b4374a9c6f98bcae6bdd9f8485af');
INSERT INTO public.schema_functions (name, digest) VALUES ('notify_change.oauth_grants', '\x7eaecddef2c5735a5a1ea94ef9c850d5ab9ebd6cbc5d4c47dc0e90436556ff6a');
INSERT INTO public.schema_functions (name, digest) VALUES ('notify_change.oauth_signing_keys', '\x3731db2e791178573baf8ddea1b049511b48806bc2180e7292cf8f91067c09f6');
INSERT INTO public.schema_functions (name, digest) VALUES ('record_certificate_event', '\x7436de31997d74531f3d65e2d1964a24ca37c06cb84f93a6c9ceba2ffbc0196d');
INSERT INTO public.schema_functions (name, digest) VALUES ('record_incident_event', '\xd0f5e1938df9c2c41b4dc46483f0e94ac5845089b366d6e7a1e3db642a2c41f0');
INSERT INTO public.schema_functions (name, digest) VALUES ('record_registration_events', '\xd9fa76a68ba78e9b9b8abb33bb9e851188ae54e5a35187e1c83705625355c655');
INSERT INTO public.schema_functions (name, digest) VALUES ('schedule_for_workspace', '\x2a20fa9645cbc3d4464237d2dac94be9bef6f1add0e7619e6f74129e9879659c');
INSERT INTO public.schema_functions (name, digest) VALUES ('tell_outcome_of_run', '\x8d1332d05ee81401cae75a3464c3606e96b6fe77614c31ec6033eb52f94e7e9c');
INSERT INTO public.schema_functions (name, digest) VALUES ('three_digits', '\x0db046199ead158c2c1a4433562f99e248d3de1ff7af0e7d4eb928ff4194e866');
INSERT INTO public.schema_functions (name, digest) VALUES ('uptime_hours', '\x05f95a185861161dab6bbe8dad9e415734633772382e12170daf7fb0fd5a9dd6');
INSERT INTO public.schema_functions (name, digest) VALUES ('drop_deliveries', '\x357b9b6a2ec6be8e76832b4fe07c910074cd1fd31988a2952f024154c25c3566');
INSERT INTO public.schema_functions (name, digest) VALUES ('keep_late_unread', '\x1290c3551f4a32b6c1b32d4f4d8b93fd53c06469c27e6121d4b7fa5a51211f8b');
INSERT INTO public.schema_functions (name, digest) VALUES ('last_read_marks', '\x01668dd0a580f8f58962e35fc8a496bb27147437745eb70c4563d41ff0287e65');
INSERT INTO public.schema_functions (name, digest) VALUES ('notification_read_at', '\xb2196cd605cc1cf3dbfd4ec8cb52f85bbbe8c9148e5671ecb256316c0ca3a637');
INSERT INTO public.schema_functions (name, digest) VALUES ('queue_metric_events', '\x81f9d0428ba3c301c12647a074e761cd628eedc95bb88254f63a2b332178578e');
INSERT INTO public.schema_functions (name, digest) VALUES ('queue_raised_deliveries', '\x5e78e8d5460bba7d12b7e5abe79528449663b70b3e24d0af73edba144268fa26');
INSERT INTO public.schema_functions (name, digest) VALUES ('queue_resolved_deliveries', '\x98045cb3cce05dfadc5f36507eb49cf5005b2547e8a92df21e0952a829047431');
INSERT INTO public.schema_functions (name, digest) VALUES ('raise_notifications', '\x6a0497a76ccb979b39856755878414f36561e4774de02c5df5e94b3c423fe434');
INSERT INTO public.schema_functions (name, digest) VALUES ('reopen_delivery', '\xb5202da44910c6393de1012d18a798a57e785460e9b1dcef5d9583975c7303d4');
INSERT INTO public.schema_functions (name, digest) VALUES ('send_deliveries', '\xf74fc962f0174918237b8a1564f95ab42db4ced4e184658c61fa6802eed3e0ac');
INSERT INTO public.schema_functions (name, digest) VALUES ('analytics_action_days', '\x17c7a67af2679b383f4ba456d109d7b075d733df1a926d58051ab5c38147dc75');
INSERT INTO public.schema_functions (name, digest) VALUES ('analytics_commerce_figures', '\xc59590bb2ba004e4f34422369a44fd5c3f2e73bc57b7492a62cd671ebe367274');
INSERT INTO public.schema_functions (name, digest) VALUES ('analytics_dimension_days', '\x65f0abcace9dec8c6bb4a3590faf03053e66612006bbebfd7ac84a553cd515d9');
INSERT INTO public.schema_functions (name, digest) VALUES ('analytics_filtered_sessions', '\xae8c8b3da3bb41af95bc03559fa079ad3c234d1b2ac0f04591240a2d7f561e17');
INSERT INTO public.schema_functions (name, digest) VALUES ('analytics_filtered_views', '\x0d040ca71d7830697eb6085d2cb6b05807cb3809787a85f13de52352e28611c0');
INSERT INTO public.schema_functions (name, digest) VALUES ('analytics_orders_by', '\xfcf39ec8262748d2cea971745cb1d768905f8f2e9cf7e97d00ce577a8dfe355e');
INSERT INTO public.schema_functions (name, digest) VALUES ('analytics_page_figures', '\x5ffee4d28757eb1ee1642ed4e1ef70ec06a751f0a9b97c782b0cec4480ae932d');
INSERT INTO public.schema_functions (name, digest) VALUES ('analytics_revenue_days', '\x3444dab750e74a75345f17cf5854eb454619b3acf65ecbdcb2a3b499c36e8a5d');
INSERT INTO public.schema_functions (name, digest) VALUES ('analytics_session_days', '\x20c4cb5072ec5464ca3d76143d8d05124096bc964b03f9d6ee303f1cdecab8ab');
INSERT INTO public.schema_functions (name, digest) VALUES ('analytics_sessions_by', '\x357aa3f28c0fdc9e37c1d38f736ba2bd818396fca82c9f26fb37f7b4f7a57ee6');
INSERT INTO public.schema_functions (name, digest) VALUES ('analytics_touched_orders', '\x98bb7ec68f045be59f201b59abb0f53d5a77a9f77d6544223878ea4da31bb32d');
INSERT INTO public.schema_functions (name, digest) VALUES ('collect_salt', '\xf63ab469aaa4b878ab3502b99af7192d516b92001246c8369732cecee8b10a52');
INSERT INTO public.schema_functions (name, digest) VALUES ('rum_bucket', '\x43f199972a8931fe075cd42b011c8e38402afb5897d1074c4c98840a813cbca9');
INSERT INTO public.schema_functions (name, digest) VALUES ('rum_chosen_views', '\x3794541c9e7e1aeae95dfcfa30f3d12e4d9cf2bce7c7ce532dd3b1ce0d1f96e5');
INSERT INTO public.schema_functions (name, digest) VALUES ('rum_figure', '\x19dd5087427583498743a751fc6a87a0e8e2797a5008e48cf5df1c459b367046');
INSERT INTO public.schema_functions (name, digest) VALUES ('rum_is_good', '\x733fbe8860b96a79adc9f6574a96a94d33b40aa4e391f1c4e98901f144ef2bb7');
INSERT INTO public.schema_functions (name, digest) VALUES ('rum_path_template', '\x68368fab5738eb09b864f02bbc2d151666fec06ba4bae547e865fc49eb67f8cb');
INSERT INTO public.schema_functions (name, digest) VALUES ('rum_share_pct', '\xd999da09b824050cbd3234a95f42e9311486717263e140fb56567939d06b5f7f');
INSERT INTO public.schema_functions (name, digest) VALUES ('record_robots_event', '\x24a7c398c9d5b2dff5eabfa5b440b617ee3730d35fa8bd71c705787b06af8cbe');
INSERT INTO public.schema_functions (name, digest) VALUES ('count_report_recipients', '\x52bda3e1d4286dc4a40b22639aecd14b835cfd92fd64b54e01587c62b7c09e3d');
INSERT INTO public.schema_functions (name, digest) VALUES ('queue_report_deliveries', '\xf359a82fc4124fef879a6b35954f26338ded462d895a44215718d5f6c9e550f2');
INSERT INTO public.schema_functions (name, digest) VALUES ('search_all_values', '\x268182664b13f95febeb3f4d5b5509019efc2ebf05b73ab4caf38d063cef06e3');
INSERT INTO public.schema_functions (name, digest) VALUES ('search_chosen_pairs', '\xd1c00b979e76349837f5f37dd4b143da53553d57a59296d469ed88ca5c7f1cb0');
INSERT INTO public.schema_functions (name, digest) VALUES ('search_chosen_values', '\x47624a57d52cbe78b9418a50da35da23b61bffa197023a9f09a9690dde6c0193');
INSERT INTO public.schema_functions (name, digest) VALUES ('search_rows', '\xd52990b20ecd07978e354a3c6c4382723a88a4488403f9f7bbec3d3169886ddf');
INSERT INTO public.schema_functions (name, digest) VALUES ('synthetic_judgements', '\x747338ed1b31ab79991d679686c41d65f8a221bb000d13b61aa4e31d66565b11');


--
-- Data for Name: search_accounts; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.search_accounts (id, workspace_id, kind, label, sealed, created_at, created_by) VALUES ('01900000-0000-7000-8000-0000000000d1', '01900000-0000-7000-8000-000000000011', 'service_account', 'pharos@ada.iam.gserviceaccount.com', '\x01', '2026-01-03 10:00:00+00', NULL);


--
-- Data for Name: search_appearances_default; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.search_appearances_default (domain_id, search_type, date, appearance_id, page_id, clicks, impressions, position_sum) VALUES ('01900000-0000-7000-8000-000000000021', 1, '2026-01-02', 3, 2, 3, 10, 20);


--
-- Data for Name: search_configs; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.search_configs (domain_id, settings, created_at, updated_at, updated_by) VALUES ('01900000-0000-7000-8000-000000000021', '{"brand_regex": null, "brand_terms": ["ada"], "search_types": ["web"], "excluded_paths": ["/cart"], "min_impressions": 10}', '2026-01-02 11:00:00+00', '2026-01-03 11:00:00+00', '01900000-0000-7000-8000-000000000001');


--
-- Data for Name: search_days; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.search_days (domain_id, search_type, date, is_final, clicks, impressions, position_sum, imported_at) VALUES ('01900000-0000-7000-8000-000000000021', 1, '2026-01-02', true, 3, 10, 20, '2026-11-26 17:49:53.921716+00');


--
-- Data for Name: search_hours; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.search_hours (domain_id, search_type, hour, clicks, impressions, position_sum) VALUES ('01900000-0000-7000-8000-000000000021', 1, '2026-01-04 10:00:00+00', 1, 4, 9);


--
-- Data for Name: search_imports; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.search_imports (domain_id, site_url, search_type, reached) VALUES ('01900000-0000-7000-8000-000000000021', 'sc-domain:ada.example', 1, '2026-01-02');


--
-- Data for Name: search_month_sums; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.search_month_sums (domain_id, search_type, kind, month, value_id, clicks, impressions, position_sum) VALUES ('01900000-0000-7000-8000-000000000021', 1, 1, '2026-01-01', 1, 3, 10, 20);
INSERT INTO public.search_month_sums (domain_id, search_type, kind, month, value_id, clicks, impressions, position_sum) VALUES ('01900000-0000-7000-8000-000000000021', 1, 2, '2026-01-01', 2, 3, 10, 20);


--
-- Data for Name: search_months; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.search_months (domain_id, search_type, month, summed_at) VALUES ('01900000-0000-7000-8000-000000000021', 1, '2026-01-01', '2026-11-26 17:49:53.921716+00');


--
-- Data for Name: search_pages_default; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.search_pages_default (domain_id, search_type, date, page_id, country, device, clicks, impressions, position_sum) VALUES ('01900000-0000-7000-8000-000000000021', 1, '2026-01-02', 2, 'DE', 2, 3, 10, 20);


--
-- Data for Name: search_pairs_default; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.search_pairs_default (domain_id, search_type, date, query_id, page_id, country, device, clicks, impressions, position_sum) VALUES ('01900000-0000-7000-8000-000000000021', 1, '2026-01-02', 1, 2, 'DE', 2, 3, 10, 20);


--
-- Data for Name: search_places_default; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.search_places_default (domain_id, search_type, date, country, device, clicks, impressions, position_sum) VALUES ('01900000-0000-7000-8000-000000000021', 1, '2026-01-02', 'DE', 2, 3, 10, 20);


--
-- Data for Name: search_properties; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.search_properties (domain_id, workspace_id, site_url, permission, status, search_types, linked_at, linked_by, last_sync_at, last_sync_status, data_through, provisional_through, first_incomplete_date, first_incomplete_hour, backfill_from, account_id, next_sync_at, newest_due_at, leased_until, sync_failures, last_failure) VALUES ('01900000-0000-7000-8000-000000000021', '01900000-0000-7000-8000-000000000011', 'sc-domain:ada.example', 'owner', 'connected', '{web}', '2026-01-03 10:00:00+00', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '01900000-0000-7000-8000-0000000000d1', '2026-11-26 17:49:53.921716+00', '2026-11-26 17:49:53.921716+00', NULL, 0, NULL);


--
-- Data for Name: search_queries_default; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.search_queries_default (domain_id, search_type, date, query_id, country, device, clicks, impressions, position_sum) VALUES ('01900000-0000-7000-8000-000000000021', 1, '2026-01-02', 1, 'DE', 2, 3, 10, 20);


--
-- Data for Name: search_submitted_sitemaps; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.search_submitted_sitemaps (domain_id, site_url, path, form, is_index, is_pending, last_submitted_at, last_downloaded_at, errors, warnings, contents) VALUES ('01900000-0000-7000-8000-000000000021', 'sc-domain:ada.example', 'https://ada.example/sitemap.xml', 'SITEMAP', false, false, '2026-01-03 10:00:00+00', '2026-01-04 10:00:00+00', 0, 1, '[["WEB", 12]]');


--
-- Data for Name: search_sums_default; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.search_sums_default (domain_id, search_type, kind, date, value_id, clicks, impressions, position_sum) VALUES ('01900000-0000-7000-8000-000000000021', 1, 1, '2026-01-02', 1, 3, 10, 20);
INSERT INTO public.search_sums_default (domain_id, search_type, kind, date, value_id, clicks, impressions, position_sum) VALUES ('01900000-0000-7000-8000-000000000021', 1, 2, '2026-01-02', 2, 3, 10, 20);


--
-- Data for Name: search_values; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.search_values (id, domain_id, kind, value, last_month) OVERRIDING SYSTEM VALUE VALUES (1, '01900000-0000-7000-8000-000000000021', 1, 'shoes', '2026-11-01');
INSERT INTO public.search_values (id, domain_id, kind, value, last_month) OVERRIDING SYSTEM VALUE VALUES (2, '01900000-0000-7000-8000-000000000021', 2, 'https://ada.example/', '2026-11-01');
INSERT INTO public.search_values (id, domain_id, kind, value, last_month) OVERRIDING SYSTEM VALUE VALUES (3, '01900000-0000-7000-8000-000000000021', 3, 'product_snippets', '2026-11-01');


--
-- Data for Name: second_factors; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.second_factors (user_id, secret, made_at, confirmed_at, last_step, begun_by) VALUES ('01900000-0000-7000-8000-000000000001', '\x7365616c6564', '2026-01-03 09:00:00+00', '2026-01-03 09:01:00+00', 58914182, '\x1e2952b478968fb69e105423445683880726a3929232c26772e629d7ecf762cd');


--
-- Data for Name: sessions; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.sessions (digest, user_id, signed_in_at, last_used_at) VALUES ('\x1e2952b478968fb69e105423445683880726a3929232c26772e629d7ecf762cd', '01900000-0000-7000-8000-000000000001', '2026-01-04 11:59:00+00', '2026-01-04 12:30:00+00');


--
-- Data for Name: set_aside; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.set_aside (kind, subject, reason, payload, first_at, last_at, times) VALUES ('check', '01900000-0000-7000-8000-000000000021 eu', 'a number out of range', '{}', '2026-01-04 09:00:00+00', '2026-01-04 10:00:00+00', 3);


--
-- Data for Name: shared_secrets; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.shared_secrets (name, value, created_at) VALUES ('cursors', '\x984ca5162200734c592148f1820b71057f098573d138666b48663e4e30cd8d3a', '2026-01-02 10:00:00+00');


--
-- Data for Name: sign_in_links; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.sign_in_links (digest, user_id, expires_at) VALUES ('\x5a3464444d33a68463513f5da667da8e38aaab130f7eeed4b4387644bcada617', '01900000-0000-7000-8000-000000000002', '2026-01-04 10:00:00+00');


--
-- Data for Name: sitemap_changes_default; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.sitemap_changes_default (id, domain_id, changed_at, change, url, file_id, before, after) VALUES ('01900000-0000-7000-8000-0000000001f1', '01900000-0000-7000-8000-000000000021', '2026-01-03 16:00:00+00', 'lastmod_changed', 'https://ada.example/cart', '01900000-0000-7000-8000-0000000001d1', NULL, '2026-01-01T00:00:00Z');


--
-- Data for Name: sitemap_checks_default; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.sitemap_checks_default (id, domain_id, file_id, checked_at, run_id, status_code, entries, urls_added, urls_removed, response_ms, error_class) VALUES ('01900000-0000-7000-8000-0000000001e1', '01900000-0000-7000-8000-000000000021', '01900000-0000-7000-8000-0000000001d1', '2026-01-04 10:00:00+00', NULL, 200, 1, 0, 0, 84.25, NULL);


--
-- Data for Name: sitemap_conflicts; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.sitemap_conflicts (domain_id, crawler, url_key, url, file_id, line, kind, path, first_seen_at, computed_at) VALUES ('01900000-0000-7000-8000-000000000021', '*', 'f3a8e1c2-0000-4000-8000-000000000002', 'https://ada.example/cart', '01900000-0000-7000-8000-0000000001d1', 1, 'disallow', '/cart', '2026-01-03 10:00:00+00', '2026-01-04 10:00:00+00');


--
-- Data for Name: sitemap_files; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.sitemap_files (id, domain_id, url, url_key, parent_id, parent_missed_at, in_robots, robots_missed_at, is_manual, is_default, depth, found_at, kind, status, status_code, entries, size_bytes, uncompressed_bytes, is_gzip, index_lastmod, newest_lastmod, fetched_at, changed_at, good_at, response_ms, failures, over_limits, validators, sha256, stopped_at, is_forgotten, removed_at) VALUES ('01900000-0000-7000-8000-0000000001d1', '01900000-0000-7000-8000-000000000021', 'https://ada.example/sitemap.xml', 'f3a8e1c2-0000-4000-8000-000000000001', NULL, NULL, true, NULL, false, false, 1, '2026-01-03 10:00:00+00', 'urlset', 'ok', 200, 1, 212, 212, false, NULL, '2026-01-01 00:00:00+00', '2026-01-04 10:00:00+00', NULL, '2026-01-04 10:00:00+00', 84.25, 0, false, '{"headers": {"etag": null, "content_type": "application/xml", "cache_control": null, "last_modified": null}, "final_url": "https://ada.example/sitemap.xml"}', 'd9066d29c1dfed62e1bbde2c102079a5ccc0c1e9f669644fd89fd652cdc156bb', NULL, false, NULL);


--
-- Data for Name: sitemap_issues; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.sitemap_issues (file_id, code, domain_id, count, examples, first_seen_at) VALUES ('01900000-0000-7000-8000-0000000001d1', 'blocked_by_robots', '01900000-0000-7000-8000-000000000021', 1, '["https://ada.example/cart"]', '2026-01-03 10:00:00+00');


--
-- Data for Name: sitemap_rounds_default; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.sitemap_rounds_default (id, domain_id, ended_at, urls_total, files, files_failed, added, removed, moved, lastmod_changed, errors, warnings, blocked, non_200) VALUES ('01900000-0000-7000-8000-000000000201', '01900000-0000-7000-8000-000000000021', '2026-01-04 10:00:00+00', 1, 1, 0, 0, 0, 0, 0, 1, 0, 1, NULL);


--
-- Data for Name: sitemap_samples; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.sitemap_samples (domain_id, url_key, asked_at, status_code, redirects_to, is_noindex, canonical, is_canonical) VALUES ('01900000-0000-7000-8000-000000000021', 'f3a8e1c2-0000-4000-8000-000000000002', '2026-01-04 10:00:00+00', 200, NULL, false, NULL, NULL);


--
-- Data for Name: sitemap_sites; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.sitemap_sites (domain_id, workspace_id, next_check_at, leased_until, last_checked_at, last_changed_at, robots_declared, figures, figures_at, conflicts, sampled_through) VALUES ('01900000-0000-7000-8000-000000000021', '01900000-0000-7000-8000-000000000011', '2026-01-04 16:00:00+00', NULL, '2026-01-04 10:00:00+00', '2026-01-03 10:00:00+00', true, '{"news": 0, "dated": 1, "images": 0, "videos": 0, "alternates": 0, "urls_total": 1, "urls_unique": 1, "median_lastmod": "2026-01-01T00:00:00Z"}', '2026-01-04 10:00:00+00', '{"totals": {"*": 1}, "googlebot": "*", "version_id": "01900000-0000-7000-8000-0000000001a1", "computed_at": "2026-01-04T10:00:00Z", "urls_checked": 1}', NULL);


--
-- Data for Name: sitemap_urls; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.sitemap_urls (file_id, url_key, domain_id, url, lastmod, change_frequency, priority, images, videos, is_news, alternates, first_seen_at, listed_at, missing_since, last_seen_at, removed_at) VALUES ('01900000-0000-7000-8000-0000000001d1', 'f3a8e1c2-0000-4000-8000-000000000002', '01900000-0000-7000-8000-000000000021', 'https://ada.example/cart', '2026-01-01 00:00:00+00', NULL, NULL, 0, 0, false, NULL, '2026-01-03 10:00:00+00', '2026-01-03 10:00:00+00', NULL, NULL, NULL);


--
-- Data for Name: status_page_sites; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.status_page_sites (page_id, domain_id, "position") VALUES ('01900000-0000-7000-8000-0000000000f1', '01900000-0000-7000-8000-000000000021', 1);


--
-- Data for Name: status_pages; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.status_pages (id, workspace_id, slug, title, created_at) VALUES ('01900000-0000-7000-8000-0000000000f1', '01900000-0000-7000-8000-000000000011', 'adas', 'Ada''s status', '2026-01-03 10:00:00+00');


--
-- Data for Name: switches; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.switches (name, thrown_at) VALUES ('read-only-mode', '2026-01-30 10:00:00+00');


--
-- Data for Name: synthetic_budgets; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.synthetic_budgets (id, domain_id, "position", url_id, profile_id, metric, bound, direction) VALUES ('01900000-0000-7000-8000-0000000001f2', '01900000-0000-7000-8000-000000000021', 0, '01900000-0000-7000-8000-0000000001d1', 'mobile', 'lcp_ms', 2500, 'max');


--
-- Data for Name: synthetic_results; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.synthetic_results (run_id, audits, opportunities, resources, third_parties, filmstrip) VALUES ('01900000-0000-7000-8000-0000000001e1', '[]', '[]', '[]', '[]', '{"frames": [], "final_screenshot": null, "full_page_screenshot": null}');


--
-- Data for Name: synthetic_runs; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.synthetic_runs (id, domain_id, url_id, job_id, url, profile_id, form_factor, trigger, status, requested_at, started_at, finished_at, error_code, error_detail, summary, budgets, images_until) VALUES ('01900000-0000-7000-8000-0000000001e1', '01900000-0000-7000-8000-000000000021', '01900000-0000-7000-8000-0000000001d1', '01900000-0000-7000-8000-0000000001f1', 'https://ada.example/', 'mobile', 'mobile', 'schedule', 'succeeded', '2026-01-04 03:10:00+00', '2026-01-04 03:10:00+00', '2026-01-04 03:11:00+00', NULL, NULL, '{"figures": {"lcp_ms": 2310.5, "performance_score": 91}, "dom_size": 12, "final_url": null, "categories": {"performance": {"score": 91, "title": "Performance"}}, "fetched_at": "2026-01-04T03:10:10Z", "duration_ms": 9411, "gather_mode": "navigation", "main_thread": [], "variability": null, "run_warnings": [], "requested_url": "https://ada.example/", "runtime_error": null, "engine_version": "13.5.0", "benchmark_index": 2009.5, "runs_aggregated": 1, "long_tasks_count": 0, "resource_summary": [], "main_document_url": null}', '[]', '2026-04-04 03:11:00+00');


--
-- Data for Name: synthetic_urls; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.synthetic_urls (id, domain_id, workspace_id, settings, secrets, has_basic_auth, has_cookie, next_run_at, leased_until, planned_at, created_at, updated_at, deleted_at) VALUES ('01900000-0000-7000-8000-0000000001d1', '01900000-0000-7000-8000-000000000021', '01900000-0000-7000-8000-000000000011', '{"url": "https://ada.example/", "label": "Home", "enabled": true, "schedule": "daily", "categories": ["performance"], "profile_ids": ["mobile"], "runs_per_test": 1, "schedule_hour": 3, "schedule_weekday": null, "blocked_url_patterns": []}', '\x0102', true, false, '2026-01-05 03:10:00+00', NULL, '2026-01-04 03:10:00+00', '2026-01-03 10:00:00+00', '2026-01-03 10:00:00+00', NULL);


--
-- Data for Name: uptime_certificate_history; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.uptime_certificate_history (domain_id, fingerprint, first_seen_at, last_seen_at, replaced_at, issuer_common_name, valid_from, valid_until, names_count) VALUES ('01900000-0000-7000-8000-000000000021', '81acd762140fa692a142822d2fbe4dc6f54bcaa501f68ab37e5aeed0bafe4d99', '2026-01-02 11:00:00+00', '2026-01-04 10:00:00+00', NULL, 'An authority', '2026-01-01 00:00:00+00', '2026-04-01 00:00:00+00', 2);


--
-- Data for Name: uptime_certificates; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.uptime_certificates (domain_id, digest, checked_at, sighting) VALUES ('01900000-0000-7000-8000-000000000021', '\x0648ea47f2eeaf709db0f51dd6e5fe1858f32ca3392eb3efdf9eeea84920d67f', '2026-01-04 10:00:00+00', '{"host": "ada.example", "port": 443, "encounter": "plain"}');


--
-- Data for Name: uptime_checks_default; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.uptime_checks_default (id, domain_id, region, checked_at, outcome, run_id, status_code, http_version, response_ms, dns_ms, connect_ms, tls_ms, ttfb_ms, download_ms, redirect_count, final_url, response_bytes, ip_address, error_class, error_message, keyword_matched, retry_index) VALUES ('01900000-0000-7000-8000-000000000301', '01900000-0000-7000-8000-000000000021', 'eu', '2026-01-04 09:00:00+00', 'down', '01900000-0000-7000-8000-000000000302', 503, '1.1', NULL, 1.5, 10.25, 20, NULL, NULL, 0, 'https://ada.example/', 512, '192.0.2.1', 'http_status', '503 is not expected', NULL, 1);
INSERT INTO public.uptime_checks_default (id, domain_id, region, checked_at, outcome, run_id, status_code, http_version, response_ms, dns_ms, connect_ms, tls_ms, ttfb_ms, download_ms, redirect_count, final_url, response_bytes, ip_address, error_class, error_message, keyword_matched, retry_index) VALUES ('01900000-0000-7000-8000-000000000303', '01900000-0000-7000-8000-000000000021', 'eu', '2026-01-04 10:00:00+00', 'up', NULL, 200, '2', 120.5, 1.5, 10.25, 20, 80, 8.75, 0, 'https://ada.example/', 2048, '2001:db8::1', NULL, NULL, true, 0);


--
-- Data for Name: uptime_distributions; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.uptime_distributions (domain_id, grain, measure, starts_at, region, times) VALUES ('01900000-0000-7000-8000-000000000021', 'day', 'response', '2026-01-03 00:00:00+00', 'eu', '\xa08d060188a40101');


--
-- Data for Name: uptime_incident_events; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.uptime_incident_events (incident_id, number, at, event, region, detail) OVERRIDING SYSTEM VALUE VALUES ('01900000-0000-7000-8000-000000000311', 1, '2026-01-04 09:00:00+00', 'first_failure', 'eu', '503 is not expected');
INSERT INTO public.uptime_incident_events (incident_id, number, at, event, region, detail) OVERRIDING SYSTEM VALUE VALUES ('01900000-0000-7000-8000-000000000311', 2, '2026-01-04 09:10:00+00', 'recovered', NULL, NULL);


--
-- Data for Name: uptime_incidents; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.uptime_incidents (id, domain_id, started_at, confirmed_at, resolved_at, class, severity, status_code, error_message, resolved_ip, response_headers, checks_failed, during_maintenance) VALUES ('01900000-0000-7000-8000-000000000311', '01900000-0000-7000-8000-000000000021', '2026-01-04 09:00:00+00', '2026-01-04 09:00:10+00', '2026-01-04 09:10:00+00', 'http_status', 'outage', 503, '503 is not expected', '192.0.2.1', '{"server": "nginx"}', 11, false);


--
-- Data for Name: uptime_monitors; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.uptime_monitors (domain_id, settings, created_at, updated_at, updated_by, registrable_domain) VALUES ('01900000-0000-7000-8000-000000000021', '{"url": "https://ada.example/", "method": "GET", "enabled": true, "keyword": null, "regions": ["eu"], "verify_tls": true, "keyword_mode": null, "ssl_warn_days": [30, 7], "sla_target_pct": 99.9, "recovery_checks": 2, "request_headers": {}, "timeout_seconds": 30, "domain_warn_days": [30, 7], "follow_redirects": true, "interval_seconds": 60, "degraded_above_ms": null, "confirmation_checks": 2, "maintenance_windows": [], "expected_status_codes": ["2xx", "3xx"]}', '2026-01-02 11:00:00+00', '2026-01-03 11:00:00+00', '01900000-0000-7000-8000-000000000001', 'ada.example');


--
-- Data for Name: uptime_region_states; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.uptime_region_states (domain_id, region, state) VALUES ('01900000-0000-7000-8000-000000000021', 'eu', '{"since": "2026-01-04T09:10:00Z", "failing": null, "is_down": false, "paused_at": null, "holds_until": null, "last_check_at": "2026-01-04T10:00:00Z", "passing_since": "2026-01-04T09:10:00Z", "last_success_at": "2026-01-04T10:00:00Z", "consecutive_passes": 50, "consecutive_failures": 0, "consecutive_forbidden": 0}');


--
-- Data for Name: uptime_rollup_progress; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.uptime_rollup_progress (domain_id, rolled_until) VALUES ('01900000-0000-7000-8000-000000000021', '2026-01-04 00:00:00+00');


--
-- Data for Name: uptime_rollups; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.uptime_rollups (domain_id, grain, starts_at, region, counts, least_us, most_us, samples, micros) VALUES ('01900000-0000-7000-8000-000000000021', 'day', '2026-01-03 00:00:00+00', 'eu', '{2,2,0,0}', 100000, 120500, '{2,2,2,2,2,2}', '{220500,3000,20500,40000,160000,17500}');


--
-- Data for Name: uptime_schedules; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.uptime_schedules (domain_id, region, next_check_at, leased_until, workspace_id) VALUES ('01900000-0000-7000-8000-000000000021', 'eu', '2026-01-04 10:01:00+00', '2026-01-04 10:02:00+00', '01900000-0000-7000-8000-000000000011');


--
-- Data for Name: uptime_spans; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.uptime_spans (domain_id, region, state, started_at, ended_at) VALUES ('01900000-0000-7000-8000-000000000021', 'eu', 'down', '2026-01-04 09:00:00+00', '2026-01-04 09:10:00+00');
INSERT INTO public.uptime_spans (domain_id, region, state, started_at, ended_at) VALUES ('01900000-0000-7000-8000-000000000021', 'eu', 'up', '2026-01-04 09:10:00+00', '2026-01-04 10:00:00+00');


--
-- Data for Name: user_passwords; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.user_passwords (user_id, hash, changed_at) VALUES ('01900000-0000-7000-8000-000000000001', '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$bm8gaGFzaA', '2026-01-02 10:05:00+00');


--
-- Data for Name: users; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.users (id, email, name, disabled_at, created_at) VALUES ('01900000-0000-7000-8000-000000000001', 'ada@example.org', 'Ada', NULL, '2026-01-02 10:00:00+00');
INSERT INTO public.users (id, email, name, disabled_at, created_at) VALUES ('01900000-0000-7000-8000-000000000002', 'Bob@example.org', 'Bob', '2026-01-20 10:00:00+00', '2026-01-03 10:00:00+00');


--
-- Data for Name: wide_pull_rows; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.wide_pull_rows (run_id, place, cells) VALUES ('01900000-0000-7000-8000-0000000000b1', 1, '["/", 1, 2, 1, 1, 1, 0, 50, 15, 60]');


--
-- Data for Name: wide_pulls; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.wide_pulls (run_id, report, first_day, last_day, asked, total_rows, is_truncated, has_rows) VALUES ('01900000-0000-7000-8000-0000000000b1', 'pages_full', '2026-01-01', '2026-01-04', '{"device": "mobile"}', 1, false, true);


--
-- Data for Name: workspaces; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.workspaces (id, name, plan_key, subscription_status, created_at) VALUES ('01900000-0000-7000-8000-000000000011', 'Ada''s', 'default', 'active', '2026-01-02 10:00:00+00');


--
-- Name: alert_pending_events_number_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.alert_pending_events_number_seq', 1, true);


--
-- Name: alert_wakes_number_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.alert_wakes_number_seq', 2, true);


--
-- Name: analytics_values_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.analytics_values_id_seq', 6, true);


--
-- Name: metric_events_number_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.metric_events_number_seq', 2, true);


--
-- Name: rum_texts_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.rum_texts_id_seq', 2, true);


--
-- Name: search_values_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.search_values_id_seq', 3, true);


--
-- Name: uptime_incident_events_number_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.uptime_incident_events_number_seq', 2, true);


--
-- Name: __diesel_schema_migrations __diesel_schema_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.__diesel_schema_migrations
    ADD CONSTRAINT __diesel_schema_migrations_pkey PRIMARY KEY (version);


--
-- Name: alert_channels alert_channels_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alert_channels
    ADD CONSTRAINT alert_channels_pkey PRIMARY KEY (id);


--
-- Name: alert_channels alert_channels_unsubscribe_token_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alert_channels
    ADD CONSTRAINT alert_channels_unsubscribe_token_key UNIQUE (unsubscribe_token);


--
-- Name: alert_deliveries alert_deliveries_notification_id_channel_id_event_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alert_deliveries
    ADD CONSTRAINT alert_deliveries_notification_id_channel_id_event_key UNIQUE (notification_id, channel_id, event);


--
-- Name: alert_deliveries alert_deliveries_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alert_deliveries
    ADD CONSTRAINT alert_deliveries_pkey PRIMARY KEY (id);


--
-- Name: alert_evaluations alert_evaluations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alert_evaluations
    ADD CONSTRAINT alert_evaluations_pkey PRIMARY KEY (rule_id);


--
-- Name: alert_history alert_history_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alert_history
    ADD CONSTRAINT alert_history_pkey PRIMARY KEY (id);


--
-- Name: alert_history alert_history_rule_id_fired_at_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alert_history
    ADD CONSTRAINT alert_history_rule_id_fired_at_key UNIQUE (rule_id, fired_at);


--
-- Name: alert_pending_events alert_pending_events_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alert_pending_events
    ADD CONSTRAINT alert_pending_events_pkey PRIMARY KEY (number);


--
-- Name: alert_rules alert_rules_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alert_rules
    ADD CONSTRAINT alert_rules_pkey PRIMARY KEY (id);


--
-- Name: alert_wakes alert_wakes_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alert_wakes
    ADD CONSTRAINT alert_wakes_pkey PRIMARY KEY (number);


--
-- Name: analytics_actions analytics_actions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.analytics_actions
    ADD CONSTRAINT analytics_actions_pkey PRIMARY KEY (domain_id, kind, day, value, page);


--
-- Name: analytics_beacons analytics_beacons_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.analytics_beacons
    ADD CONSTRAINT analytics_beacons_pkey PRIMARY KEY (domain_id, beacon_id);


--
-- Name: analytics_commerce analytics_commerce_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.analytics_commerce
    ADD CONSTRAINT analytics_commerce_pkey PRIMARY KEY (domain_id, at, hit_id);


--
-- Name: analytics_commerce_default analytics_commerce_default_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.analytics_commerce_default
    ADD CONSTRAINT analytics_commerce_default_pkey PRIMARY KEY (domain_id, at, hit_id);


--
-- Name: analytics_daily analytics_daily_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.analytics_daily
    ADD CONSTRAINT analytics_daily_pkey PRIMARY KEY (domain_id, dimension, day, value, second);


--
-- Name: analytics_dimension_orders analytics_dimension_orders_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.analytics_dimension_orders
    ADD CONSTRAINT analytics_dimension_orders_pkey PRIMARY KEY (domain_id, dimension, day, value, second, currency);


--
-- Name: analytics_engagements analytics_engagements_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.analytics_engagements
    ADD CONSTRAINT analytics_engagements_pkey PRIMARY KEY (domain_id, at, id);


--
-- Name: analytics_engagements_default analytics_engagements_default_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.analytics_engagements_default
    ADD CONSTRAINT analytics_engagements_default_pkey PRIMARY KEY (domain_id, at, id);


--
-- Name: analytics_evaluations analytics_evaluations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.analytics_evaluations
    ADD CONSTRAINT analytics_evaluations_pkey PRIMARY KEY (id);


--
-- Name: analytics_experiments analytics_experiments_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.analytics_experiments
    ADD CONSTRAINT analytics_experiments_pkey PRIMARY KEY (id);


--
-- Name: analytics_hits analytics_hits_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.analytics_hits
    ADD CONSTRAINT analytics_hits_pkey PRIMARY KEY (domain_id, at, id);


--
-- Name: analytics_hits_default analytics_hits_default_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.analytics_hits_default
    ADD CONSTRAINT analytics_hits_default_pkey PRIMARY KEY (domain_id, at, id);


--
-- Name: analytics_items analytics_items_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.analytics_items
    ADD CONSTRAINT analytics_items_pkey PRIMARY KEY (domain_id, at, hit_id, place);


--
-- Name: analytics_items_default analytics_items_default_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.analytics_items_default
    ADD CONSTRAINT analytics_items_default_pkey PRIMARY KEY (domain_id, at, hit_id, place);


--
-- Name: analytics_new_values analytics_new_values_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.analytics_new_values
    ADD CONSTRAINT analytics_new_values_pkey PRIMARY KEY (domain_id, dimension, day);


--
-- Name: analytics_orders analytics_orders_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.analytics_orders
    ADD CONSTRAINT analytics_orders_pkey PRIMARY KEY (domain_id, order_id);


--
-- Name: analytics_pages analytics_pages_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.analytics_pages
    ADD CONSTRAINT analytics_pages_pkey PRIMARY KEY (domain_id, grain, part, starts_on, page);


--
-- Name: analytics_progress analytics_progress_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.analytics_progress
    ADD CONSTRAINT analytics_progress_pkey PRIMARY KEY (domain_id);


--
-- Name: analytics_properties analytics_properties_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.analytics_properties
    ADD CONSTRAINT analytics_properties_pkey PRIMARY KEY (domain_id, at, hit_id, place);


--
-- Name: analytics_properties_default analytics_properties_default_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.analytics_properties_default
    ADD CONSTRAINT analytics_properties_default_pkey PRIMARY KEY (domain_id, at, hit_id, place);


--
-- Name: analytics_revenue analytics_revenue_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.analytics_revenue
    ADD CONSTRAINT analytics_revenue_pkey PRIMARY KEY (domain_id, day, currency);


--
-- Name: analytics_sessions analytics_sessions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.analytics_sessions
    ADD CONSTRAINT analytics_sessions_pkey PRIMARY KEY (domain_id, started_at, id);


--
-- Name: analytics_sessions_default analytics_sessions_default_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.analytics_sessions_default
    ADD CONSTRAINT analytics_sessions_default_pkey PRIMARY KEY (domain_id, started_at, id);


--
-- Name: analytics_sites analytics_sites_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.analytics_sites
    ADD CONSTRAINT analytics_sites_pkey PRIMARY KEY (domain_id);


--
-- Name: analytics_titles analytics_titles_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.analytics_titles
    ADD CONSTRAINT analytics_titles_pkey PRIMARY KEY (domain_id, page);


--
-- Name: analytics_values analytics_values_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.analytics_values
    ADD CONSTRAINT analytics_values_pkey PRIMARY KEY (id);


--
-- Name: analytics_visitors analytics_visitors_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.analytics_visitors
    ADD CONSTRAINT analytics_visitors_pkey PRIMARY KEY (domain_id, visitor_id);


--
-- Name: api_key_secrets api_key_secrets_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.api_key_secrets
    ADD CONSTRAINT api_key_secrets_pkey PRIMARY KEY (digest);


--
-- Name: api_keys api_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);


--
-- Name: audit_log audit_log_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY (id);


--
-- Name: collect_bots collect_bots_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.collect_bots
    ADD CONSTRAINT collect_bots_pkey PRIMARY KEY (domain_id, day);


--
-- Name: collect_salts collect_salts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.collect_salts
    ADD CONSTRAINT collect_salts_pkey PRIMARY KEY (day);


--
-- Name: collect_sites collect_sites_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.collect_sites
    ADD CONSTRAINT collect_sites_pkey PRIMARY KEY (domain_id);


--
-- Name: collect_sites collect_sites_secret_digest_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.collect_sites
    ADD CONSTRAINT collect_sites_secret_digest_key UNIQUE (secret_digest);


--
-- Name: collect_sites collect_sites_site_key_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.collect_sites
    ADD CONSTRAINT collect_sites_site_key_key UNIQUE (site_key);


--
-- Name: credit_balances credit_balances_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.credit_balances
    ADD CONSTRAINT credit_balances_pkey PRIMARY KEY (workspace_id);


--
-- Name: credit_log credit_log_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.credit_log
    ADD CONSTRAINT credit_log_pkey PRIMARY KEY (workspace_id, occurred_at, request_id);


--
-- Name: credit_log_default credit_log_default_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.credit_log_default
    ADD CONSTRAINT credit_log_default_pkey PRIMARY KEY (workspace_id, occurred_at, request_id);


--
-- Name: credit_member_usage credit_member_usage_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.credit_member_usage
    ADD CONSTRAINT credit_member_usage_pkey PRIMARY KEY (workspace_id, user_id);


--
-- Name: crux_figures crux_figures_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.crux_figures
    ADD CONSTRAINT crux_figures_pkey PRIMARY KEY (target_id, form_factor, grain, period_end);


--
-- Name: crux_lookups crux_lookups_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.crux_lookups
    ADD CONSTRAINT crux_lookups_pkey PRIMARY KEY (run_id);


--
-- Name: crux_targets crux_targets_domain_id_url_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.crux_targets
    ADD CONSTRAINT crux_targets_domain_id_url_key UNIQUE NULLS NOT DISTINCT (domain_id, url);


--
-- Name: crux_targets crux_targets_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.crux_targets
    ADD CONSTRAINT crux_targets_pkey PRIMARY KEY (id);


--
-- Name: domain_registrations domain_registrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.domain_registrations
    ADD CONSTRAINT domain_registrations_pkey PRIMARY KEY (name);


--
-- Name: domains domains_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.domains
    ADD CONSTRAINT domains_pkey PRIMARY KEY (id);


--
-- Name: idempotency_records idempotency_records_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.idempotency_records
    ADD CONSTRAINT idempotency_records_pkey PRIMARY KEY (credential_id, key);


--
-- Name: indexing_changes indexing_changes_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.indexing_changes
    ADD CONSTRAINT indexing_changes_pkey PRIMARY KEY (domain_id, changed_at, id);


--
-- Name: indexing_changes_default indexing_changes_default_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.indexing_changes_default
    ADD CONSTRAINT indexing_changes_default_pkey PRIMARY KEY (domain_id, changed_at, id);


--
-- Name: indexing_days indexing_days_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.indexing_days
    ADD CONSTRAINT indexing_days_pkey PRIMARY KEY (domain_id, day);


--
-- Name: indexing_quota indexing_quota_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.indexing_quota
    ADD CONSTRAINT indexing_quota_pkey PRIMARY KEY (site_url, day);


--
-- Name: indexing_removed indexing_removed_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.indexing_removed
    ADD CONSTRAINT indexing_removed_pkey PRIMARY KEY (domain_id, url);


--
-- Name: indexing_results indexing_results_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.indexing_results
    ADD CONSTRAINT indexing_results_pkey PRIMARY KEY (url_id, inspected_at);


--
-- Name: indexing_results_default indexing_results_default_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.indexing_results_default
    ADD CONSTRAINT indexing_results_default_pkey PRIMARY KEY (url_id, inspected_at);


--
-- Name: indexing_rich_issues indexing_rich_issues_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.indexing_rich_issues
    ADD CONSTRAINT indexing_rich_issues_pkey PRIMARY KEY (url_id, kind, severity, message);


--
-- Name: indexing_rich_types indexing_rich_types_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.indexing_rich_types
    ADD CONSTRAINT indexing_rich_types_pkey PRIMARY KEY (url_id, kind);


--
-- Name: indexing_run_urls indexing_run_urls_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.indexing_run_urls
    ADD CONSTRAINT indexing_run_urls_pkey PRIMARY KEY (run_id, place);


--
-- Name: indexing_runs indexing_runs_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.indexing_runs
    ADD CONSTRAINT indexing_runs_pkey PRIMARY KEY (run_id);


--
-- Name: indexing_sites indexing_sites_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.indexing_sites
    ADD CONSTRAINT indexing_sites_pkey PRIMARY KEY (domain_id);


--
-- Name: indexing_urls indexing_urls_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.indexing_urls
    ADD CONSTRAINT indexing_urls_pkey PRIMARY KEY (id);


--
-- Name: jobs jobs_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT jobs_pkey PRIMARY KEY (id);


--
-- Name: members members_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_pkey PRIMARY KEY (workspace_id, user_id);


--
-- Name: metric_events metric_events_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.metric_events
    ADD CONSTRAINT metric_events_pkey PRIMARY KEY (number);


--
-- Name: notices notices_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notices
    ADD CONSTRAINT notices_pkey PRIMARY KEY (id);


--
-- Name: notification_read_marks notification_read_marks_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notification_read_marks
    ADD CONSTRAINT notification_read_marks_pkey PRIMARY KEY (user_id, domain_id, kind, read_before);


--
-- Name: notification_reads notification_reads_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notification_reads
    ADD CONSTRAINT notification_reads_pkey PRIMARY KEY (user_id, notification_id);


--
-- Name: notifications notifications_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notifications
    ADD CONSTRAINT notifications_pkey PRIMARY KEY (id);


--
-- Name: oauth_clients oauth_clients_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.oauth_clients
    ADD CONSTRAINT oauth_clients_pkey PRIMARY KEY (id);


--
-- Name: oauth_codes oauth_codes_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.oauth_codes
    ADD CONSTRAINT oauth_codes_pkey PRIMARY KEY (digest);


--
-- Name: oauth_decisions oauth_decisions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.oauth_decisions
    ADD CONSTRAINT oauth_decisions_pkey PRIMARY KEY (request_id);


--
-- Name: oauth_grants oauth_grants_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.oauth_grants
    ADD CONSTRAINT oauth_grants_pkey PRIMARY KEY (id);


--
-- Name: oauth_refresh_tokens oauth_refresh_tokens_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.oauth_refresh_tokens
    ADD CONSTRAINT oauth_refresh_tokens_pkey PRIMARY KEY (digest);


--
-- Name: oauth_signing_keys oauth_signing_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.oauth_signing_keys
    ADD CONSTRAINT oauth_signing_keys_pkey PRIMARY KEY (kid);


--
-- Name: pending_sign_ins pending_sign_ins_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pending_sign_ins
    ADD CONSTRAINT pending_sign_ins_pkey PRIMARY KEY (digest);


--
-- Name: plan_quotas plan_quotas_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.plan_quotas
    ADD CONSTRAINT plan_quotas_pkey PRIMARY KEY (plan_key, resource);


--
-- Name: plans plans_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.plans
    ADD CONSTRAINT plans_pkey PRIMARY KEY (key);


--
-- Name: quota_usage quota_usage_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.quota_usage
    ADD CONSTRAINT quota_usage_pkey PRIMARY KEY (workspace_id, resource, period_start);


--
-- Name: recovery_codes recovery_codes_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.recovery_codes
    ADD CONSTRAINT recovery_codes_pkey PRIMARY KEY (digest);


--
-- Name: regions regions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.regions
    ADD CONSTRAINT regions_pkey PRIMARY KEY (key);


--
-- Name: report_deliveries report_deliveries_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.report_deliveries
    ADD CONSTRAINT report_deliveries_pkey PRIMARY KEY (id);


--
-- Name: report_deliveries report_deliveries_run_id_recipient_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.report_deliveries
    ADD CONSTRAINT report_deliveries_run_id_recipient_id_key UNIQUE (run_id, recipient_id);


--
-- Name: report_questions report_questions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.report_questions
    ADD CONSTRAINT report_questions_pkey PRIMARY KEY (id);


--
-- Name: report_recipients report_recipients_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.report_recipients
    ADD CONSTRAINT report_recipients_pkey PRIMARY KEY (id);


--
-- Name: report_recipients report_recipients_unsubscribe_token_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.report_recipients
    ADD CONSTRAINT report_recipients_unsubscribe_token_key UNIQUE (unsubscribe_token);


--
-- Name: report_runs report_runs_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.report_runs
    ADD CONSTRAINT report_runs_pkey PRIMARY KEY (run_id);


--
-- Name: report_templates report_templates_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.report_templates
    ADD CONSTRAINT report_templates_pkey PRIMARY KEY (id);


--
-- Name: robots_checks robots_checks_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.robots_checks
    ADD CONSTRAINT robots_checks_pkey PRIMARY KEY (domain_id, checked_at, id);


--
-- Name: robots_checks_default robots_checks_default_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.robots_checks_default
    ADD CONSTRAINT robots_checks_default_pkey PRIMARY KEY (domain_id, checked_at, id);


--
-- Name: robots_sites robots_sites_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.robots_sites
    ADD CONSTRAINT robots_sites_pkey PRIMARY KEY (domain_id);


--
-- Name: robots_test_urls robots_test_urls_domain_id_position_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.robots_test_urls
    ADD CONSTRAINT robots_test_urls_domain_id_position_key UNIQUE (domain_id, "position");


--
-- Name: robots_test_urls robots_test_urls_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.robots_test_urls
    ADD CONSTRAINT robots_test_urls_pkey PRIMARY KEY (id);


--
-- Name: robots_versions robots_versions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.robots_versions
    ADD CONSTRAINT robots_versions_pkey PRIMARY KEY (id);


--
-- Name: rum_beacons rum_beacons_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_beacons
    ADD CONSTRAINT rum_beacons_pkey PRIMARY KEY (domain_id, beacon_id);


--
-- Name: rum_cls rum_cls_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_cls
    ADD CONSTRAINT rum_cls_pkey PRIMARY KEY (domain_id, at, load_id);


--
-- Name: rum_cls_default rum_cls_default_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_cls_default
    ADD CONSTRAINT rum_cls_default_pkey PRIMARY KEY (domain_id, at, load_id);


--
-- Name: rum_daily rum_daily_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_daily
    ADD CONSTRAINT rum_daily_pkey PRIMARY KEY (domain_id, day, device);


--
-- Name: rum_engagements rum_engagements_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_engagements
    ADD CONSTRAINT rum_engagements_pkey PRIMARY KEY (domain_id, at, load_id);


--
-- Name: rum_engagements_default rum_engagements_default_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_engagements_default
    ADD CONSTRAINT rum_engagements_default_pkey PRIMARY KEY (domain_id, at, load_id);


--
-- Name: rum_error_groups rum_error_groups_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_error_groups
    ADD CONSTRAINT rum_error_groups_pkey PRIMARY KEY (kind);


--
-- Name: rum_errors rum_errors_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_errors
    ADD CONSTRAINT rum_errors_pkey PRIMARY KEY (domain_id, at, load_id, place);


--
-- Name: rum_errors_default rum_errors_default_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_errors_default
    ADD CONSTRAINT rum_errors_default_pkey PRIMARY KEY (domain_id, at, load_id, place);


--
-- Name: rum_frames rum_frames_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_frames
    ADD CONSTRAINT rum_frames_pkey PRIMARY KEY (domain_id, at, load_id, place);


--
-- Name: rum_frames_default rum_frames_default_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_frames_default
    ADD CONSTRAINT rum_frames_default_pkey PRIMARY KEY (domain_id, at, load_id, place);


--
-- Name: rum_hist rum_hist_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_hist
    ADD CONSTRAINT rum_hist_pkey PRIMARY KEY (domain_id, metric, day, device, bucket);


--
-- Name: rum_inp rum_inp_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_inp
    ADD CONSTRAINT rum_inp_pkey PRIMARY KEY (domain_id, at, load_id);


--
-- Name: rum_inp_default rum_inp_default_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_inp_default
    ADD CONSTRAINT rum_inp_default_pkey PRIMARY KEY (domain_id, at, load_id);


--
-- Name: rum_lcp rum_lcp_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_lcp
    ADD CONSTRAINT rum_lcp_pkey PRIMARY KEY (domain_id, at, load_id);


--
-- Name: rum_lcp_default rum_lcp_default_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_lcp_default
    ADD CONSTRAINT rum_lcp_default_pkey PRIMARY KEY (domain_id, at, load_id);


--
-- Name: rum_loads rum_loads_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_loads
    ADD CONSTRAINT rum_loads_pkey PRIMARY KEY (domain_id, load_id);


--
-- Name: rum_new_texts rum_new_texts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_new_texts
    ADD CONSTRAINT rum_new_texts_pkey PRIMARY KEY (domain_id, dimension, day);


--
-- Name: rum_progress rum_progress_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_progress
    ADD CONSTRAINT rum_progress_pkey PRIMARY KEY (domain_id);


--
-- Name: rum_reasons rum_reasons_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_reasons
    ADD CONSTRAINT rum_reasons_pkey PRIMARY KEY (domain_id, at, load_id, place);


--
-- Name: rum_reasons_default rum_reasons_default_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_reasons_default
    ADD CONSTRAINT rum_reasons_default_pkey PRIMARY KEY (domain_id, at, load_id, place);


--
-- Name: rum_resources rum_resources_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_resources
    ADD CONSTRAINT rum_resources_pkey PRIMARY KEY (domain_id, at, load_id, place);


--
-- Name: rum_resources_default rum_resources_default_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_resources_default
    ADD CONSTRAINT rum_resources_default_pkey PRIMARY KEY (domain_id, at, load_id, place);


--
-- Name: rum_scripts rum_scripts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_scripts
    ADD CONSTRAINT rum_scripts_pkey PRIMARY KEY (domain_id, at, load_id, place);


--
-- Name: rum_scripts_default rum_scripts_default_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_scripts_default
    ADD CONSTRAINT rum_scripts_default_pkey PRIMARY KEY (domain_id, at, load_id, place);


--
-- Name: rum_server_timings rum_server_timings_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_server_timings
    ADD CONSTRAINT rum_server_timings_pkey PRIMARY KEY (domain_id, at, load_id, place);


--
-- Name: rum_server_timings_default rum_server_timings_default_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_server_timings_default
    ADD CONSTRAINT rum_server_timings_default_pkey PRIMARY KEY (domain_id, at, load_id, place);


--
-- Name: rum_sites rum_sites_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_sites
    ADD CONSTRAINT rum_sites_pkey PRIMARY KEY (domain_id);


--
-- Name: rum_texts rum_texts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_texts
    ADD CONSTRAINT rum_texts_pkey PRIMARY KEY (id);


--
-- Name: rum_ttfb rum_ttfb_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_ttfb
    ADD CONSTRAINT rum_ttfb_pkey PRIMARY KEY (domain_id, at, load_id);


--
-- Name: rum_ttfb_default rum_ttfb_default_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_ttfb_default
    ADD CONSTRAINT rum_ttfb_default_pkey PRIMARY KEY (domain_id, at, load_id);


--
-- Name: rum_views rum_views_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_views
    ADD CONSTRAINT rum_views_pkey PRIMARY KEY (domain_id, at, load_id);


--
-- Name: rum_views_default rum_views_default_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_views_default
    ADD CONSTRAINT rum_views_default_pkey PRIMARY KEY (domain_id, at, load_id);


--
-- Name: runs runs_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.runs
    ADD CONSTRAINT runs_pkey PRIMARY KEY (id);


--
-- Name: schema_functions schema_functions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.schema_functions
    ADD CONSTRAINT schema_functions_pkey PRIMARY KEY (name);


--
-- Name: search_accounts search_accounts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_accounts
    ADD CONSTRAINT search_accounts_pkey PRIMARY KEY (id);


--
-- Name: search_appearances search_appearances_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_appearances
    ADD CONSTRAINT search_appearances_pkey PRIMARY KEY (domain_id, search_type, date, appearance_id, page_id);


--
-- Name: search_appearances_default search_appearances_default_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_appearances_default
    ADD CONSTRAINT search_appearances_default_pkey PRIMARY KEY (domain_id, search_type, date, appearance_id, page_id);


--
-- Name: search_configs search_configs_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_configs
    ADD CONSTRAINT search_configs_pkey PRIMARY KEY (domain_id);


--
-- Name: search_days search_days_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_days
    ADD CONSTRAINT search_days_pkey PRIMARY KEY (domain_id, search_type, date);


--
-- Name: search_hours search_hours_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_hours
    ADD CONSTRAINT search_hours_pkey PRIMARY KEY (domain_id, search_type, hour);


--
-- Name: search_imports search_imports_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_imports
    ADD CONSTRAINT search_imports_pkey PRIMARY KEY (domain_id, site_url, search_type);


--
-- Name: search_month_sums search_month_sums_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_month_sums
    ADD CONSTRAINT search_month_sums_pkey PRIMARY KEY (domain_id, search_type, kind, month, value_id);


--
-- Name: search_months search_months_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_months
    ADD CONSTRAINT search_months_pkey PRIMARY KEY (domain_id, search_type, month);


--
-- Name: search_pages search_pages_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_pages
    ADD CONSTRAINT search_pages_pkey PRIMARY KEY (domain_id, search_type, date, page_id, country, device);


--
-- Name: search_pages_default search_pages_default_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_pages_default
    ADD CONSTRAINT search_pages_default_pkey PRIMARY KEY (domain_id, search_type, date, page_id, country, device);


--
-- Name: search_pairs search_pairs_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_pairs
    ADD CONSTRAINT search_pairs_pkey PRIMARY KEY (domain_id, search_type, date, query_id, page_id, country, device);


--
-- Name: search_pairs_default search_pairs_default_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_pairs_default
    ADD CONSTRAINT search_pairs_default_pkey PRIMARY KEY (domain_id, search_type, date, query_id, page_id, country, device);


--
-- Name: search_places search_places_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_places
    ADD CONSTRAINT search_places_pkey PRIMARY KEY (domain_id, search_type, date, country, device);


--
-- Name: search_places_default search_places_default_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_places_default
    ADD CONSTRAINT search_places_default_pkey PRIMARY KEY (domain_id, search_type, date, country, device);


--
-- Name: search_properties search_properties_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_properties
    ADD CONSTRAINT search_properties_pkey PRIMARY KEY (domain_id);


--
-- Name: search_queries search_queries_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_queries
    ADD CONSTRAINT search_queries_pkey PRIMARY KEY (domain_id, search_type, date, query_id, country, device);


--
-- Name: search_queries_default search_queries_default_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_queries_default
    ADD CONSTRAINT search_queries_default_pkey PRIMARY KEY (domain_id, search_type, date, query_id, country, device);


--
-- Name: search_submitted_sitemaps search_submitted_sitemaps_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_submitted_sitemaps
    ADD CONSTRAINT search_submitted_sitemaps_pkey PRIMARY KEY (domain_id, path);


--
-- Name: search_sums search_sums_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_sums
    ADD CONSTRAINT search_sums_pkey PRIMARY KEY (domain_id, search_type, kind, date, value_id);


--
-- Name: search_sums_default search_sums_default_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_sums_default
    ADD CONSTRAINT search_sums_default_pkey PRIMARY KEY (domain_id, search_type, kind, date, value_id);


--
-- Name: search_values search_values_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_values
    ADD CONSTRAINT search_values_pkey PRIMARY KEY (id);


--
-- Name: second_factors second_factors_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.second_factors
    ADD CONSTRAINT second_factors_pkey PRIMARY KEY (user_id);


--
-- Name: sessions sessions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (digest);


--
-- Name: set_aside set_aside_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.set_aside
    ADD CONSTRAINT set_aside_pkey PRIMARY KEY (kind, subject);


--
-- Name: shared_secrets shared_secrets_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.shared_secrets
    ADD CONSTRAINT shared_secrets_pkey PRIMARY KEY (name);


--
-- Name: sign_in_links sign_in_links_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sign_in_links
    ADD CONSTRAINT sign_in_links_pkey PRIMARY KEY (digest);


--
-- Name: sitemap_changes sitemap_changes_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sitemap_changes
    ADD CONSTRAINT sitemap_changes_pkey PRIMARY KEY (domain_id, changed_at, id);


--
-- Name: sitemap_changes_default sitemap_changes_default_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sitemap_changes_default
    ADD CONSTRAINT sitemap_changes_default_pkey PRIMARY KEY (domain_id, changed_at, id);


--
-- Name: sitemap_checks sitemap_checks_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sitemap_checks
    ADD CONSTRAINT sitemap_checks_pkey PRIMARY KEY (file_id, checked_at, id);


--
-- Name: sitemap_checks_default sitemap_checks_default_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sitemap_checks_default
    ADD CONSTRAINT sitemap_checks_default_pkey PRIMARY KEY (file_id, checked_at, id);


--
-- Name: sitemap_conflicts sitemap_conflicts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sitemap_conflicts
    ADD CONSTRAINT sitemap_conflicts_pkey PRIMARY KEY (domain_id, crawler, url_key);


--
-- Name: sitemap_files sitemap_files_domain_id_url_key_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sitemap_files
    ADD CONSTRAINT sitemap_files_domain_id_url_key_key UNIQUE (domain_id, url_key);


--
-- Name: sitemap_files sitemap_files_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sitemap_files
    ADD CONSTRAINT sitemap_files_pkey PRIMARY KEY (id);


--
-- Name: sitemap_issues sitemap_issues_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sitemap_issues
    ADD CONSTRAINT sitemap_issues_pkey PRIMARY KEY (file_id, code);


--
-- Name: sitemap_rounds sitemap_rounds_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sitemap_rounds
    ADD CONSTRAINT sitemap_rounds_pkey PRIMARY KEY (domain_id, ended_at, id);


--
-- Name: sitemap_rounds_default sitemap_rounds_default_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sitemap_rounds_default
    ADD CONSTRAINT sitemap_rounds_default_pkey PRIMARY KEY (domain_id, ended_at, id);


--
-- Name: sitemap_samples sitemap_samples_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sitemap_samples
    ADD CONSTRAINT sitemap_samples_pkey PRIMARY KEY (domain_id, url_key);


--
-- Name: sitemap_sites sitemap_sites_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sitemap_sites
    ADD CONSTRAINT sitemap_sites_pkey PRIMARY KEY (domain_id);


--
-- Name: sitemap_urls sitemap_urls_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sitemap_urls
    ADD CONSTRAINT sitemap_urls_pkey PRIMARY KEY (file_id, url_key);


--
-- Name: status_page_sites status_page_sites_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.status_page_sites
    ADD CONSTRAINT status_page_sites_pkey PRIMARY KEY (page_id, domain_id);


--
-- Name: status_pages status_pages_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.status_pages
    ADD CONSTRAINT status_pages_pkey PRIMARY KEY (id);


--
-- Name: switches switches_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.switches
    ADD CONSTRAINT switches_pkey PRIMARY KEY (name);


--
-- Name: synthetic_budgets synthetic_budgets_domain_id_position_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.synthetic_budgets
    ADD CONSTRAINT synthetic_budgets_domain_id_position_key UNIQUE (domain_id, "position");


--
-- Name: synthetic_budgets synthetic_budgets_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.synthetic_budgets
    ADD CONSTRAINT synthetic_budgets_pkey PRIMARY KEY (id);


--
-- Name: synthetic_results synthetic_results_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.synthetic_results
    ADD CONSTRAINT synthetic_results_pkey PRIMARY KEY (run_id);


--
-- Name: synthetic_runs synthetic_runs_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.synthetic_runs
    ADD CONSTRAINT synthetic_runs_pkey PRIMARY KEY (id);


--
-- Name: synthetic_urls synthetic_urls_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.synthetic_urls
    ADD CONSTRAINT synthetic_urls_pkey PRIMARY KEY (id);


--
-- Name: uptime_certificate_history uptime_certificate_history_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_certificate_history
    ADD CONSTRAINT uptime_certificate_history_pkey PRIMARY KEY (domain_id, fingerprint);


--
-- Name: uptime_certificates uptime_certificates_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_certificates
    ADD CONSTRAINT uptime_certificates_pkey PRIMARY KEY (domain_id);


--
-- Name: uptime_checks uptime_checks_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_checks
    ADD CONSTRAINT uptime_checks_pkey PRIMARY KEY (domain_id, checked_at, id);


--
-- Name: uptime_checks_default uptime_checks_default_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_checks_default
    ADD CONSTRAINT uptime_checks_default_pkey PRIMARY KEY (domain_id, checked_at, id);


--
-- Name: uptime_distributions uptime_distributions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_distributions
    ADD CONSTRAINT uptime_distributions_pkey PRIMARY KEY (domain_id, grain, measure, starts_at, region);


--
-- Name: uptime_incident_events uptime_incident_events_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_incident_events
    ADD CONSTRAINT uptime_incident_events_pkey PRIMARY KEY (incident_id, number);


--
-- Name: uptime_incidents uptime_incidents_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_incidents
    ADD CONSTRAINT uptime_incidents_pkey PRIMARY KEY (id);


--
-- Name: uptime_monitors uptime_monitors_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_monitors
    ADD CONSTRAINT uptime_monitors_pkey PRIMARY KEY (domain_id);


--
-- Name: uptime_region_states uptime_region_states_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_region_states
    ADD CONSTRAINT uptime_region_states_pkey PRIMARY KEY (domain_id, region);


--
-- Name: uptime_rollup_progress uptime_rollup_progress_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_rollup_progress
    ADD CONSTRAINT uptime_rollup_progress_pkey PRIMARY KEY (domain_id);


--
-- Name: uptime_rollups uptime_rollups_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_rollups
    ADD CONSTRAINT uptime_rollups_pkey PRIMARY KEY (domain_id, grain, starts_at, region);


--
-- Name: uptime_schedules uptime_schedules_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_schedules
    ADD CONSTRAINT uptime_schedules_pkey PRIMARY KEY (domain_id, region);


--
-- Name: uptime_spans uptime_spans_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_spans
    ADD CONSTRAINT uptime_spans_pkey PRIMARY KEY (domain_id, region, started_at);


--
-- Name: user_passwords user_passwords_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.user_passwords
    ADD CONSTRAINT user_passwords_pkey PRIMARY KEY (user_id);


--
-- Name: users users_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);


--
-- Name: wide_pull_rows wide_pull_rows_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.wide_pull_rows
    ADD CONSTRAINT wide_pull_rows_pkey PRIMARY KEY (run_id, place);


--
-- Name: wide_pulls wide_pulls_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.wide_pulls
    ADD CONSTRAINT wide_pulls_pkey PRIMARY KEY (run_id);


--
-- Name: workspaces workspaces_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.workspaces
    ADD CONSTRAINT workspaces_pkey PRIMARY KEY (id);


--
-- Name: alert_channels_domain_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX alert_channels_domain_idx ON public.alert_channels USING btree (domain_id);


--
-- Name: alert_channels_workspace_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX alert_channels_workspace_idx ON public.alert_channels USING btree (workspace_id, created_at, id);


--
-- Name: alert_deliveries_channel_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX alert_deliveries_channel_idx ON public.alert_deliveries USING btree (channel_id, created_at, id);


--
-- Name: alert_deliveries_created_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX alert_deliveries_created_idx ON public.alert_deliveries USING btree (created_at) WHERE (notification_id IS NULL);


--
-- Name: alert_deliveries_queued_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX alert_deliveries_queued_idx ON public.alert_deliveries USING btree (channel_id, created_at, id) WHERE (state = 'queued'::text);


--
-- Name: alert_evaluations_domain_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX alert_evaluations_domain_idx ON public.alert_evaluations USING btree (domain_id);


--
-- Name: alert_evaluations_due_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX alert_evaluations_due_idx ON public.alert_evaluations USING btree (next_evaluation_at) WHERE (next_evaluation_at IS NOT NULL);


--
-- Name: alert_evaluations_leased_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX alert_evaluations_leased_idx ON public.alert_evaluations USING btree (leased_until) WHERE (leased_until IS NOT NULL);


--
-- Name: alert_evaluations_turns_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX alert_evaluations_turns_idx ON public.alert_evaluations USING btree (workspace_id, next_evaluation_at);


--
-- Name: alert_history_domain_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX alert_history_domain_idx ON public.alert_history USING btree (domain_id, fired_at, id);


--
-- Name: alert_history_fired_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX alert_history_fired_idx ON public.alert_history USING btree (fired_at);


--
-- Name: alert_history_incident_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX alert_history_incident_idx ON public.alert_history USING btree (domain_id, ((context ->> 'incident_id'::text))) WHERE ((context ->> 'incident_id'::text) IS NOT NULL);


--
-- Name: alert_history_open_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX alert_history_open_idx ON public.alert_history USING btree (rule_id) WHERE (resolved_at IS NULL);


--
-- Name: alert_history_workspace_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX alert_history_workspace_idx ON public.alert_history USING btree (workspace_id, fired_at, id);


--
-- Name: alert_pending_events_rule_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX alert_pending_events_rule_idx ON public.alert_pending_events USING btree (rule_id, number);


--
-- Name: alert_rules_created_by_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX alert_rules_created_by_idx ON public.alert_rules USING btree (created_by);


--
-- Name: alert_rules_domain_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX alert_rules_domain_idx ON public.alert_rules USING btree (domain_id, created_at, id);


--
-- Name: alert_rules_workspace_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX alert_rules_workspace_idx ON public.alert_rules USING btree (workspace_id, created_at, id);


--
-- Name: analytics_beacons_stored_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX analytics_beacons_stored_at_idx ON public.analytics_beacons USING brin (stored_at);


--
-- Name: analytics_evaluations_experiment_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX analytics_evaluations_experiment_idx ON public.analytics_evaluations USING btree (experiment_id, requested_at, id);


--
-- Name: analytics_experiments_created_by_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX analytics_experiments_created_by_idx ON public.analytics_experiments USING btree (created_by);


--
-- Name: analytics_experiments_domain_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX analytics_experiments_domain_idx ON public.analytics_experiments USING btree (domain_id, created_at, id);


--
-- Name: analytics_orders_ordered_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX analytics_orders_ordered_at_idx ON public.analytics_orders USING brin (ordered_at);


--
-- Name: analytics_sites_updated_by_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX analytics_sites_updated_by_idx ON public.analytics_sites USING btree (updated_by);


--
-- Name: analytics_values_value_key; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX analytics_values_value_key ON public.analytics_values USING btree (domain_id, dimension, value);


--
-- Name: api_key_secrets_key_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX api_key_secrets_key_id_idx ON public.api_key_secrets USING btree (key_id, created_at DESC);


--
-- Name: api_keys_created_by_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX api_keys_created_by_idx ON public.api_keys USING btree (created_by);


--
-- Name: api_keys_workspace_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX api_keys_workspace_id_idx ON public.api_keys USING btree (workspace_id, created_at DESC, id DESC);


--
-- Name: audit_log_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_log_at_idx ON public.audit_log USING btree (at, id);


--
-- Name: audit_log_subject_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_log_subject_idx ON public.audit_log USING btree (subject_kind, subject_id, at);


--
-- Name: audit_log_workspace_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_log_workspace_id_idx ON public.audit_log USING btree (workspace_id, at DESC, id DESC) WHERE (workspace_id IS NOT NULL);


--
-- Name: collect_bots_day_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX collect_bots_day_idx ON public.collect_bots USING btree (day);


--
-- Name: crux_figures_end_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX crux_figures_end_idx ON public.crux_figures USING btree (period_end);


--
-- Name: crux_lookups_domain_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX crux_lookups_domain_idx ON public.crux_lookups USING btree (domain_id);


--
-- Name: crux_targets_due_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX crux_targets_due_idx ON public.crux_targets USING btree (next_collection_at);


--
-- Name: crux_targets_leased_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX crux_targets_leased_idx ON public.crux_targets USING btree (leased_until) WHERE (leased_until IS NOT NULL);


--
-- Name: crux_targets_workspace_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX crux_targets_workspace_idx ON public.crux_targets USING btree (workspace_id, next_collection_at);


--
-- Name: domain_registrations_due_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX domain_registrations_due_idx ON public.domain_registrations USING btree (next_check_at);


--
-- Name: domain_registrations_leased_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX domain_registrations_leased_idx ON public.domain_registrations USING btree (leased_until) WHERE (leased_until IS NOT NULL);


--
-- Name: domain_registrations_turns_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX domain_registrations_turns_idx ON public.domain_registrations USING btree (workspace_id, next_check_at);


--
-- Name: domains_deleted_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX domains_deleted_at_idx ON public.domains USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);


--
-- Name: domains_workspace_id_hostname_key; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX domains_workspace_id_hostname_key ON public.domains USING btree (workspace_id, hostname) WHERE (deleted_at IS NULL);


--
-- Name: domains_workspace_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX domains_workspace_id_idx ON public.domains USING btree (workspace_id, created_at, id);


--
-- Name: idempotency_records_created_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX idempotency_records_created_at_idx ON public.idempotency_records USING btree (created_at);


--
-- Name: indexing_changes_url_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX indexing_changes_url_idx ON ONLY public.indexing_changes USING btree (url_id, changed_at);


--
-- Name: indexing_changes_default_url_id_changed_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX indexing_changes_default_url_id_changed_at_idx ON public.indexing_changes_default USING btree (url_id, changed_at);


--
-- Name: indexing_days_day_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX indexing_days_day_idx ON public.indexing_days USING btree (day);


--
-- Name: indexing_quota_day_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX indexing_quota_day_idx ON public.indexing_quota USING btree (day);


--
-- Name: indexing_removed_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX indexing_removed_at_idx ON public.indexing_removed USING btree (removed_at);


--
-- Name: indexing_results_domain_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX indexing_results_domain_idx ON ONLY public.indexing_results USING btree (domain_id, inspected_at);


--
-- Name: indexing_results_default_domain_id_inspected_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX indexing_results_default_domain_id_inspected_at_idx ON public.indexing_results_default USING btree (domain_id, inspected_at);


--
-- Name: indexing_rich_issues_domain_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX indexing_rich_issues_domain_idx ON public.indexing_rich_issues USING btree (domain_id, kind);


--
-- Name: indexing_rich_types_domain_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX indexing_rich_types_domain_idx ON public.indexing_rich_types USING btree (domain_id, kind);


--
-- Name: indexing_runs_domain_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX indexing_runs_domain_idx ON public.indexing_runs USING btree (domain_id);


--
-- Name: indexing_runs_results_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX indexing_runs_results_idx ON public.indexing_runs USING btree (run_id) WHERE has_results;


--
-- Name: indexing_sites_due_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX indexing_sites_due_idx ON public.indexing_sites USING btree (next_round_at);


--
-- Name: indexing_sites_leased_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX indexing_sites_leased_idx ON public.indexing_sites USING btree (leased_until) WHERE (leased_until IS NOT NULL);


--
-- Name: indexing_sites_workspace_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX indexing_sites_workspace_idx ON public.indexing_sites USING btree (workspace_id, next_round_at);


--
-- Name: indexing_urls_canonical_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX indexing_urls_canonical_idx ON public.indexing_urls USING btree (domain_id, url) WHERE ((canonical_kind IS NOT NULL) AND (next_inspection_at IS NOT NULL));


--
-- Name: indexing_urls_due_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX indexing_urls_due_idx ON public.indexing_urls USING btree (domain_id, next_inspection_at, id) WHERE (next_inspection_at IS NOT NULL);


--
-- Name: indexing_urls_new_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX indexing_urls_new_idx ON public.indexing_urls USING btree (domain_id, created_at, id) WHERE ((inspected_at IS NULL) AND (next_inspection_at IS NOT NULL));


--
-- Name: indexing_urls_unmonitored_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX indexing_urls_unmonitored_idx ON public.indexing_urls USING btree (COALESCE(inspected_at, created_at)) WHERE (next_inspection_at IS NULL);


--
-- Name: indexing_urls_url_key; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX indexing_urls_url_key ON public.indexing_urls USING btree (domain_id, url);


--
-- Name: jobs_dead_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX jobs_dead_idx ON public.jobs USING btree (finished_at) WHERE (state = 'dead'::text);


--
-- Name: jobs_due_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX jobs_due_idx ON public.jobs USING btree (COALESCE(lane, ''::text), COALESCE(leased_until, run_at)) WHERE (state = ANY (ARRAY['queued'::text, 'running'::text]));


--
-- Name: jobs_of_workspace_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX jobs_of_workspace_idx ON public.jobs USING btree (workspace_id, state, id DESC) WHERE (workspace_id IS NOT NULL);


--
-- Name: jobs_run_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX jobs_run_idx ON public.jobs USING btree (run_id) WHERE (run_id IS NOT NULL);


--
-- Name: jobs_succeeded_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX jobs_succeeded_idx ON public.jobs USING btree (finished_at) WHERE (state = 'succeeded'::text);


--
-- Name: jobs_turns_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX jobs_turns_idx ON public.jobs USING btree (COALESCE(lane, ''::text), workspace_id, COALESCE(leased_until, run_at)) WHERE (state = ANY (ARRAY['queued'::text, 'running'::text]));


--
-- Name: members_credit_cap_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX members_credit_cap_idx ON public.members USING btree (workspace_id, user_id) WHERE (credit_cap IS NOT NULL);


--
-- Name: members_user_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX members_user_id_idx ON public.members USING btree (user_id);


--
-- Name: metric_events_domain_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX metric_events_domain_idx ON public.metric_events USING btree (domain_id, at);


--
-- Name: metric_events_recorded_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX metric_events_recorded_idx ON public.metric_events USING btree (recorded_at);


--
-- Name: notification_read_marks_domain_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX notification_read_marks_domain_idx ON public.notification_read_marks USING btree (domain_id, kind, read_before);


--
-- Name: notification_reads_notification_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX notification_reads_notification_idx ON public.notification_reads USING btree (notification_id);


--
-- Name: notification_reads_unread_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX notification_reads_unread_idx ON public.notification_reads USING btree (user_id) WHERE (read_at IS NULL);


--
-- Name: notifications_domain_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX notifications_domain_idx ON public.notifications USING btree (domain_id, kind, created_at, id) INCLUDE (severity, module);


--
-- Name: notifications_own_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX notifications_own_idx ON public.notifications USING btree (workspace_id, created_at, id) WHERE (domain_id IS NULL);


--
-- Name: notifications_workspace_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX notifications_workspace_idx ON public.notifications USING btree (workspace_id, created_at, id);


--
-- Name: oauth_clients_created_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX oauth_clients_created_at_idx ON public.oauth_clients USING btree (created_at);


--
-- Name: oauth_codes_client_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX oauth_codes_client_id_idx ON public.oauth_codes USING btree (client_id);


--
-- Name: oauth_codes_expires_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX oauth_codes_expires_at_idx ON public.oauth_codes USING btree (expires_at);


--
-- Name: oauth_codes_grant_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX oauth_codes_grant_id_idx ON public.oauth_codes USING btree (grant_id);


--
-- Name: oauth_codes_user_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX oauth_codes_user_id_idx ON public.oauth_codes USING btree (user_id);


--
-- Name: oauth_decisions_lapses_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX oauth_decisions_lapses_at_idx ON public.oauth_decisions USING btree (lapses_at);


--
-- Name: oauth_grants_client_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX oauth_grants_client_id_idx ON public.oauth_grants USING btree (client_id);


--
-- Name: oauth_grants_user_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX oauth_grants_user_id_idx ON public.oauth_grants USING btree (user_id, created_at DESC);


--
-- Name: oauth_refresh_tokens_expires_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX oauth_refresh_tokens_expires_at_idx ON public.oauth_refresh_tokens USING btree (expires_at);


--
-- Name: oauth_refresh_tokens_grant_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX oauth_refresh_tokens_grant_id_idx ON public.oauth_refresh_tokens USING btree (grant_id);


--
-- Name: pending_sign_ins_expires_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX pending_sign_ins_expires_at_idx ON public.pending_sign_ins USING btree (expires_at);


--
-- Name: pending_sign_ins_user_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX pending_sign_ins_user_id_idx ON public.pending_sign_ins USING btree (user_id);


--
-- Name: recovery_codes_user_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX recovery_codes_user_id_idx ON public.recovery_codes USING btree (user_id);


--
-- Name: report_deliveries_queued_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX report_deliveries_queued_idx ON public.report_deliveries USING btree (created_at) WHERE (state = 'queued'::text);


--
-- Name: report_deliveries_recipient_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX report_deliveries_recipient_idx ON public.report_deliveries USING btree (recipient_id);


--
-- Name: report_questions_address_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX report_questions_address_idx ON public.report_questions USING btree (address_digest, at);


--
-- Name: report_questions_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX report_questions_at_idx ON public.report_questions USING btree (at);


--
-- Name: report_questions_workspace_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX report_questions_workspace_idx ON public.report_questions USING btree (workspace_id, at);


--
-- Name: report_recipients_address_key; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX report_recipients_address_key ON public.report_recipients USING btree (template_id, address_key);


--
-- Name: report_recipients_lapsed_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX report_recipients_lapsed_idx ON public.report_recipients USING btree (asked_until) WHERE (confirmed_at IS NULL);


--
-- Name: report_recipients_link_key; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX report_recipients_link_key ON public.report_recipients USING btree (link_digest);


--
-- Name: report_runs_results_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX report_runs_results_idx ON public.report_runs USING btree (run_id) WHERE has_result;


--
-- Name: report_runs_template_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX report_runs_template_id_idx ON public.report_runs USING btree (template_id);


--
-- Name: report_templates_due_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX report_templates_due_idx ON public.report_templates USING btree (next_run_at);


--
-- Name: report_templates_leased_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX report_templates_leased_idx ON public.report_templates USING btree (leased_until) WHERE (leased_until IS NOT NULL);


--
-- Name: report_templates_name_key; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX report_templates_name_key ON public.report_templates USING btree (domain_id, name_key);


--
-- Name: report_templates_turns_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX report_templates_turns_idx ON public.report_templates USING btree (workspace_id, next_run_at);


--
-- Name: robots_checks_run_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX robots_checks_run_id_idx ON ONLY public.robots_checks USING btree (run_id) WHERE (run_id IS NOT NULL);


--
-- Name: robots_checks_default_run_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX robots_checks_default_run_id_idx ON public.robots_checks_default USING btree (run_id) WHERE (run_id IS NOT NULL);


--
-- Name: robots_sites_due_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX robots_sites_due_idx ON public.robots_sites USING btree (next_check_at);


--
-- Name: robots_sites_leased_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX robots_sites_leased_idx ON public.robots_sites USING btree (leased_until) WHERE (leased_until IS NOT NULL);


--
-- Name: robots_sites_turns_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX robots_sites_turns_idx ON public.robots_sites USING btree (workspace_id, next_check_at);


--
-- Name: robots_sites_version_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX robots_sites_version_id_idx ON public.robots_sites USING btree (version_id);


--
-- Name: robots_versions_current_key; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX robots_versions_current_key ON public.robots_versions USING btree (domain_id) WHERE (replaced_at IS NULL);


--
-- Name: robots_versions_domain_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX robots_versions_domain_id_idx ON public.robots_versions USING btree (domain_id, detected_at, id);


--
-- Name: rum_beacons_stored_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX rum_beacons_stored_at_idx ON public.rum_beacons USING brin (stored_at);


--
-- Name: rum_error_groups_id_key; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX rum_error_groups_id_key ON public.rum_error_groups USING btree (domain_id, id);


--
-- Name: rum_error_groups_last_seen_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX rum_error_groups_last_seen_at_idx ON public.rum_error_groups USING btree (last_seen_at);


--
-- Name: rum_loads_stored_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX rum_loads_stored_at_idx ON public.rum_loads USING brin (stored_at);


--
-- Name: rum_sites_updated_by_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX rum_sites_updated_by_idx ON public.rum_sites USING btree (updated_by);


--
-- Name: rum_texts_used_on_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX rum_texts_used_on_idx ON public.rum_texts USING btree (used_on);


--
-- Name: rum_texts_value_key; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX rum_texts_value_key ON public.rum_texts USING btree (domain_id, dimension, value);


--
-- Name: runs_domain_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX runs_domain_idx ON public.runs USING btree (domain_id, kind, requested_at, id);


--
-- Name: runs_expiry_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX runs_expiry_idx ON public.runs USING btree (expires_at) WHERE ((status = ANY (ARRAY['succeeded'::text, 'partial'::text])) AND (expires_at IS NOT NULL));


--
-- Name: runs_finished_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX runs_finished_idx ON public.runs USING btree (finished_at) WHERE (finished_at IS NOT NULL);


--
-- Name: runs_open_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX runs_open_idx ON public.runs USING btree (requested_at) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));


--
-- Name: search_accounts_created_by_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX search_accounts_created_by_idx ON public.search_accounts USING btree (created_by);


--
-- Name: search_accounts_workspace_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX search_accounts_workspace_idx ON public.search_accounts USING btree (workspace_id);


--
-- Name: search_appearances_page_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX search_appearances_page_idx ON ONLY public.search_appearances USING btree (domain_id, search_type, page_id, date);


--
-- Name: search_appearances_default_domain_id_search_type_page_id_da_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX search_appearances_default_domain_id_search_type_page_id_da_idx ON public.search_appearances_default USING btree (domain_id, search_type, page_id, date);


--
-- Name: search_configs_updated_by_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX search_configs_updated_by_idx ON public.search_configs USING btree (updated_by);


--
-- Name: search_pages_page_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX search_pages_page_idx ON ONLY public.search_pages USING btree (domain_id, search_type, page_id, date);


--
-- Name: search_pages_default_domain_id_search_type_page_id_date_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX search_pages_default_domain_id_search_type_page_id_date_idx ON public.search_pages_default USING btree (domain_id, search_type, page_id, date);


--
-- Name: search_pairs_page_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX search_pairs_page_idx ON ONLY public.search_pairs USING btree (domain_id, search_type, page_id, date);


--
-- Name: search_pairs_default_domain_id_search_type_page_id_date_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX search_pairs_default_domain_id_search_type_page_id_date_idx ON public.search_pairs_default USING btree (domain_id, search_type, page_id, date);


--
-- Name: search_pairs_query_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX search_pairs_query_idx ON ONLY public.search_pairs USING btree (domain_id, search_type, query_id, date);


--
-- Name: search_pairs_default_domain_id_search_type_query_id_date_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX search_pairs_default_domain_id_search_type_query_id_date_idx ON public.search_pairs_default USING btree (domain_id, search_type, query_id, date);


--
-- Name: search_properties_account_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX search_properties_account_idx ON public.search_properties USING btree (account_id);


--
-- Name: search_properties_due_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX search_properties_due_idx ON public.search_properties USING btree (next_sync_at);


--
-- Name: search_properties_leased_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX search_properties_leased_idx ON public.search_properties USING btree (leased_until) WHERE (leased_until IS NOT NULL);


--
-- Name: search_properties_linked_by_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX search_properties_linked_by_idx ON public.search_properties USING btree (linked_by);


--
-- Name: search_properties_workspace_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX search_properties_workspace_idx ON public.search_properties USING btree (workspace_id, next_sync_at);


--
-- Name: search_queries_query_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX search_queries_query_idx ON ONLY public.search_queries USING btree (domain_id, search_type, query_id, date);


--
-- Name: search_queries_default_domain_id_search_type_query_id_date_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX search_queries_default_domain_id_search_type_query_id_date_idx ON public.search_queries_default USING btree (domain_id, search_type, query_id, date);


--
-- Name: search_sums_value_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX search_sums_value_idx ON ONLY public.search_sums USING btree (domain_id, search_type, kind, value_id, date);


--
-- Name: search_sums_default_domain_id_search_type_kind_value_id_dat_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX search_sums_default_domain_id_search_type_kind_value_id_dat_idx ON public.search_sums_default USING btree (domain_id, search_type, kind, value_id, date);


--
-- Name: search_values_last_month_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX search_values_last_month_idx ON public.search_values USING btree (last_month);


--
-- Name: search_values_value_key; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX search_values_value_key ON public.search_values USING btree (domain_id, kind, value);


--
-- Name: sessions_signed_in_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sessions_signed_in_at_idx ON public.sessions USING btree (signed_in_at);


--
-- Name: sessions_user_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sessions_user_id_idx ON public.sessions USING btree (user_id);


--
-- Name: sign_in_links_expires_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sign_in_links_expires_at_idx ON public.sign_in_links USING btree (expires_at);


--
-- Name: sign_in_links_user_id_key; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX sign_in_links_user_id_key ON public.sign_in_links USING btree (user_id);


--
-- Name: sitemap_changes_change_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sitemap_changes_change_idx ON ONLY public.sitemap_changes USING btree (domain_id, change, changed_at, id);


--
-- Name: sitemap_changes_default_domain_id_change_changed_at_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sitemap_changes_default_domain_id_change_changed_at_id_idx ON public.sitemap_changes_default USING btree (domain_id, change, changed_at, id);


--
-- Name: sitemap_changes_file_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sitemap_changes_file_idx ON ONLY public.sitemap_changes USING btree (file_id, changed_at, id);


--
-- Name: sitemap_changes_default_file_id_changed_at_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sitemap_changes_default_file_id_changed_at_id_idx ON public.sitemap_changes_default USING btree (file_id, changed_at, id);


--
-- Name: sitemap_checks_domain_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sitemap_checks_domain_id_idx ON ONLY public.sitemap_checks USING btree (domain_id, checked_at);


--
-- Name: sitemap_checks_default_domain_id_checked_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sitemap_checks_default_domain_id_checked_at_idx ON public.sitemap_checks_default USING btree (domain_id, checked_at);


--
-- Name: sitemap_checks_run_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sitemap_checks_run_id_idx ON ONLY public.sitemap_checks USING btree (run_id) WHERE (run_id IS NOT NULL);


--
-- Name: sitemap_checks_default_run_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sitemap_checks_default_run_id_idx ON public.sitemap_checks_default USING btree (run_id) WHERE (run_id IS NOT NULL);


--
-- Name: sitemap_conflicts_file_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sitemap_conflicts_file_id_idx ON public.sitemap_conflicts USING btree (file_id);


--
-- Name: sitemap_conflicts_seen_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sitemap_conflicts_seen_idx ON public.sitemap_conflicts USING btree (domain_id, crawler, first_seen_at, url_key);


--
-- Name: sitemap_files_parent_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sitemap_files_parent_id_idx ON public.sitemap_files USING btree (parent_id);


--
-- Name: sitemap_files_removed_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sitemap_files_removed_idx ON public.sitemap_files USING btree (removed_at) WHERE ((removed_at IS NOT NULL) AND (stopped_at IS NULL));


--
-- Name: sitemap_issues_domain_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sitemap_issues_domain_id_idx ON public.sitemap_issues USING btree (domain_id);


--
-- Name: sitemap_samples_asked_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sitemap_samples_asked_idx ON public.sitemap_samples USING btree (asked_at);


--
-- Name: sitemap_sites_due_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sitemap_sites_due_idx ON public.sitemap_sites USING btree (next_check_at);


--
-- Name: sitemap_sites_leased_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sitemap_sites_leased_idx ON public.sitemap_sites USING btree (leased_until) WHERE (leased_until IS NOT NULL);


--
-- Name: sitemap_sites_turns_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sitemap_sites_turns_idx ON public.sitemap_sites USING btree (workspace_id, next_check_at);


--
-- Name: sitemap_urls_alternates_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sitemap_urls_alternates_idx ON public.sitemap_urls USING btree (domain_id) WHERE (alternates IS NOT NULL);


--
-- Name: sitemap_urls_domain_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sitemap_urls_domain_id_idx ON public.sitemap_urls USING btree (domain_id, url_key, file_id);


--
-- Name: sitemap_urls_file_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sitemap_urls_file_idx ON public.sitemap_urls USING btree (file_id, first_seen_at, url_key);


--
-- Name: sitemap_urls_gone_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sitemap_urls_gone_idx ON public.sitemap_urls USING btree (domain_id, first_seen_at, url_key) WHERE (removed_at IS NOT NULL);


--
-- Name: sitemap_urls_missing_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sitemap_urls_missing_idx ON public.sitemap_urls USING btree (file_id) WHERE ((missing_since IS NOT NULL) AND (removed_at IS NULL));


--
-- Name: sitemap_urls_removed_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sitemap_urls_removed_idx ON public.sitemap_urls USING btree (removed_at) WHERE (removed_at IS NOT NULL);


--
-- Name: sitemap_urls_seen_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX sitemap_urls_seen_idx ON public.sitemap_urls USING btree (domain_id, first_seen_at, url_key);


--
-- Name: status_page_sites_domain_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX status_page_sites_domain_id_idx ON public.status_page_sites USING btree (domain_id);


--
-- Name: status_pages_slug_key; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX status_pages_slug_key ON public.status_pages USING btree (slug);


--
-- Name: status_pages_workspace_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX status_pages_workspace_id_idx ON public.status_pages USING btree (workspace_id, created_at, id);


--
-- Name: synthetic_budgets_url_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX synthetic_budgets_url_idx ON public.synthetic_budgets USING btree (url_id);


--
-- Name: synthetic_runs_domain_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX synthetic_runs_domain_idx ON public.synthetic_runs USING btree (domain_id, requested_at, id);


--
-- Name: synthetic_runs_finished_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX synthetic_runs_finished_idx ON public.synthetic_runs USING btree (domain_id, finished_at) WHERE (status = 'succeeded'::text);


--
-- Name: synthetic_runs_open_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX synthetic_runs_open_idx ON public.synthetic_runs USING btree (requested_at) WHERE (status = ANY (ARRAY['queued'::text, 'running'::text]));


--
-- Name: synthetic_runs_page_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX synthetic_runs_page_idx ON public.synthetic_runs USING btree (url_id, requested_at, id);


--
-- Name: synthetic_runs_requested_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX synthetic_runs_requested_idx ON public.synthetic_runs USING btree (requested_at);


--
-- Name: synthetic_runs_url_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX synthetic_runs_url_idx ON public.synthetic_runs USING btree (url_id, profile_id, finished_at);


--
-- Name: synthetic_urls_deleted_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX synthetic_urls_deleted_idx ON public.synthetic_urls USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);


--
-- Name: synthetic_urls_domain_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX synthetic_urls_domain_idx ON public.synthetic_urls USING btree (domain_id, created_at, id);


--
-- Name: synthetic_urls_due_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX synthetic_urls_due_idx ON public.synthetic_urls USING btree (next_run_at);


--
-- Name: synthetic_urls_leased_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX synthetic_urls_leased_idx ON public.synthetic_urls USING btree (leased_until) WHERE (leased_until IS NOT NULL);


--
-- Name: synthetic_urls_workspace_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX synthetic_urls_workspace_idx ON public.synthetic_urls USING btree (workspace_id, next_run_at);


--
-- Name: uptime_checks_found_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX uptime_checks_found_idx ON ONLY public.uptime_checks USING btree (hashtextextended(((region || ' '::text) || outcome), uuid_hash_extended(domain_id, (0)::bigint)), checked_at, id);


--
-- Name: INDEX uptime_checks_found_idx; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON INDEX public.uptime_checks_found_idx IS 'Serves lists of one region, one outcome, or both: a page of each pair of them.';


--
-- Name: uptime_checks_default_hashtextextended_checked_at_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX uptime_checks_default_hashtextextended_checked_at_id_idx ON public.uptime_checks_default USING btree (hashtextextended(((region || ' '::text) || outcome), uuid_hash_extended(domain_id, (0)::bigint)), checked_at, id);


--
-- Name: uptime_checks_run_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX uptime_checks_run_id_idx ON ONLY public.uptime_checks USING btree (run_id) WHERE (run_id IS NOT NULL);


--
-- Name: uptime_checks_default_run_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX uptime_checks_default_run_id_idx ON public.uptime_checks_default USING btree (run_id) WHERE (run_id IS NOT NULL);


--
-- Name: uptime_incidents_class_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX uptime_incidents_class_idx ON public.uptime_incidents USING btree (hashtextextended(class, uuid_hash_extended(domain_id, (0)::bigint)), started_at, id);


--
-- Name: INDEX uptime_incidents_class_idx; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON INDEX public.uptime_incidents_class_idx IS 'Serves lists of one class.';


--
-- Name: uptime_incidents_domain_id_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX uptime_incidents_domain_id_idx ON public.uptime_incidents USING btree (domain_id, started_at DESC, id DESC);


--
-- Name: uptime_incidents_open_key; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX uptime_incidents_open_key ON public.uptime_incidents USING btree (domain_id) WHERE (resolved_at IS NULL);


--
-- Name: uptime_monitors_registrable_domain_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX uptime_monitors_registrable_domain_idx ON public.uptime_monitors USING btree (registrable_domain);


--
-- Name: uptime_monitors_updated_by_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX uptime_monitors_updated_by_idx ON public.uptime_monitors USING btree (updated_by);


--
-- Name: uptime_schedules_due_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX uptime_schedules_due_idx ON public.uptime_schedules USING btree (region, next_check_at);


--
-- Name: uptime_schedules_leased_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX uptime_schedules_leased_idx ON public.uptime_schedules USING btree (region, leased_until) WHERE (leased_until IS NOT NULL);


--
-- Name: uptime_schedules_turns_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX uptime_schedules_turns_idx ON public.uptime_schedules USING btree (region, workspace_id, next_check_at);


--
-- Name: users_created_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX users_created_at_idx ON public.users USING btree (created_at, id);


--
-- Name: users_email_key; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX users_email_key ON public.users USING btree (lower(email));


--
-- Name: wide_pulls_has_rows_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX wide_pulls_has_rows_idx ON public.wide_pulls USING btree (run_id) WHERE has_rows;


--
-- Name: workspaces_created_at_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX workspaces_created_at_idx ON public.workspaces USING btree (created_at, id);


--
-- Name: workspaces_plan_key_idx; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX workspaces_plan_key_idx ON public.workspaces USING btree (plan_key);


--
-- Name: analytics_commerce_default_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.analytics_commerce_pkey ATTACH PARTITION public.analytics_commerce_default_pkey;


--
-- Name: analytics_engagements_default_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.analytics_engagements_pkey ATTACH PARTITION public.analytics_engagements_default_pkey;


--
-- Name: analytics_hits_default_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.analytics_hits_pkey ATTACH PARTITION public.analytics_hits_default_pkey;


--
-- Name: analytics_items_default_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.analytics_items_pkey ATTACH PARTITION public.analytics_items_default_pkey;


--
-- Name: analytics_properties_default_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.analytics_properties_pkey ATTACH PARTITION public.analytics_properties_default_pkey;


--
-- Name: analytics_sessions_default_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.analytics_sessions_pkey ATTACH PARTITION public.analytics_sessions_default_pkey;


--
-- Name: credit_log_default_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.credit_log_pkey ATTACH PARTITION public.credit_log_default_pkey;


--
-- Name: indexing_changes_default_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.indexing_changes_pkey ATTACH PARTITION public.indexing_changes_default_pkey;


--
-- Name: indexing_changes_default_url_id_changed_at_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.indexing_changes_url_idx ATTACH PARTITION public.indexing_changes_default_url_id_changed_at_idx;


--
-- Name: indexing_results_default_domain_id_inspected_at_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.indexing_results_domain_idx ATTACH PARTITION public.indexing_results_default_domain_id_inspected_at_idx;


--
-- Name: indexing_results_default_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.indexing_results_pkey ATTACH PARTITION public.indexing_results_default_pkey;


--
-- Name: robots_checks_default_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.robots_checks_pkey ATTACH PARTITION public.robots_checks_default_pkey;


--
-- Name: robots_checks_default_run_id_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.robots_checks_run_id_idx ATTACH PARTITION public.robots_checks_default_run_id_idx;


--
-- Name: rum_cls_default_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.rum_cls_pkey ATTACH PARTITION public.rum_cls_default_pkey;


--
-- Name: rum_engagements_default_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.rum_engagements_pkey ATTACH PARTITION public.rum_engagements_default_pkey;


--
-- Name: rum_errors_default_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.rum_errors_pkey ATTACH PARTITION public.rum_errors_default_pkey;


--
-- Name: rum_frames_default_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.rum_frames_pkey ATTACH PARTITION public.rum_frames_default_pkey;


--
-- Name: rum_inp_default_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.rum_inp_pkey ATTACH PARTITION public.rum_inp_default_pkey;


--
-- Name: rum_lcp_default_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.rum_lcp_pkey ATTACH PARTITION public.rum_lcp_default_pkey;


--
-- Name: rum_reasons_default_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.rum_reasons_pkey ATTACH PARTITION public.rum_reasons_default_pkey;


--
-- Name: rum_resources_default_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.rum_resources_pkey ATTACH PARTITION public.rum_resources_default_pkey;


--
-- Name: rum_scripts_default_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.rum_scripts_pkey ATTACH PARTITION public.rum_scripts_default_pkey;


--
-- Name: rum_server_timings_default_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.rum_server_timings_pkey ATTACH PARTITION public.rum_server_timings_default_pkey;


--
-- Name: rum_ttfb_default_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.rum_ttfb_pkey ATTACH PARTITION public.rum_ttfb_default_pkey;


--
-- Name: rum_views_default_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.rum_views_pkey ATTACH PARTITION public.rum_views_default_pkey;


--
-- Name: search_appearances_default_domain_id_search_type_page_id_da_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.search_appearances_page_idx ATTACH PARTITION public.search_appearances_default_domain_id_search_type_page_id_da_idx;


--
-- Name: search_appearances_default_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.search_appearances_pkey ATTACH PARTITION public.search_appearances_default_pkey;


--
-- Name: search_pages_default_domain_id_search_type_page_id_date_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.search_pages_page_idx ATTACH PARTITION public.search_pages_default_domain_id_search_type_page_id_date_idx;


--
-- Name: search_pages_default_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.search_pages_pkey ATTACH PARTITION public.search_pages_default_pkey;


--
-- Name: search_pairs_default_domain_id_search_type_page_id_date_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.search_pairs_page_idx ATTACH PARTITION public.search_pairs_default_domain_id_search_type_page_id_date_idx;


--
-- Name: search_pairs_default_domain_id_search_type_query_id_date_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.search_pairs_query_idx ATTACH PARTITION public.search_pairs_default_domain_id_search_type_query_id_date_idx;


--
-- Name: search_pairs_default_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.search_pairs_pkey ATTACH PARTITION public.search_pairs_default_pkey;


--
-- Name: search_places_default_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.search_places_pkey ATTACH PARTITION public.search_places_default_pkey;


--
-- Name: search_queries_default_domain_id_search_type_query_id_date_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.search_queries_query_idx ATTACH PARTITION public.search_queries_default_domain_id_search_type_query_id_date_idx;


--
-- Name: search_queries_default_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.search_queries_pkey ATTACH PARTITION public.search_queries_default_pkey;


--
-- Name: search_sums_default_domain_id_search_type_kind_value_id_dat_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.search_sums_value_idx ATTACH PARTITION public.search_sums_default_domain_id_search_type_kind_value_id_dat_idx;


--
-- Name: search_sums_default_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.search_sums_pkey ATTACH PARTITION public.search_sums_default_pkey;


--
-- Name: sitemap_changes_default_domain_id_change_changed_at_id_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.sitemap_changes_change_idx ATTACH PARTITION public.sitemap_changes_default_domain_id_change_changed_at_id_idx;


--
-- Name: sitemap_changes_default_file_id_changed_at_id_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.sitemap_changes_file_idx ATTACH PARTITION public.sitemap_changes_default_file_id_changed_at_id_idx;


--
-- Name: sitemap_changes_default_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.sitemap_changes_pkey ATTACH PARTITION public.sitemap_changes_default_pkey;


--
-- Name: sitemap_checks_default_domain_id_checked_at_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.sitemap_checks_domain_id_idx ATTACH PARTITION public.sitemap_checks_default_domain_id_checked_at_idx;


--
-- Name: sitemap_checks_default_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.sitemap_checks_pkey ATTACH PARTITION public.sitemap_checks_default_pkey;


--
-- Name: sitemap_checks_default_run_id_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.sitemap_checks_run_id_idx ATTACH PARTITION public.sitemap_checks_default_run_id_idx;


--
-- Name: sitemap_rounds_default_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.sitemap_rounds_pkey ATTACH PARTITION public.sitemap_rounds_default_pkey;


--
-- Name: uptime_checks_default_hashtextextended_checked_at_id_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.uptime_checks_found_idx ATTACH PARTITION public.uptime_checks_default_hashtextextended_checked_at_id_idx;


--
-- Name: uptime_checks_default_pkey; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.uptime_checks_pkey ATTACH PARTITION public.uptime_checks_default_pkey;


--
-- Name: uptime_checks_default_run_id_idx; Type: INDEX ATTACH; Schema: public; Owner: -
--

ALTER INDEX public.uptime_checks_run_id_idx ATTACH PARTITION public.uptime_checks_default_run_id_idx;


--
-- Name: members count_capped_members; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER count_capped_members AFTER INSERT OR DELETE OR UPDATE OF credit_cap, workspace_id ON public.members FOR EACH ROW EXECUTE FUNCTION public.count_capped_members();


--
-- Name: report_recipients count_report_recipients; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER count_report_recipients AFTER INSERT OR DELETE OR UPDATE OF confirmed_at, unsubscribed_at ON public.report_recipients FOR EACH ROW EXECUTE FUNCTION public.count_report_recipients();


--
-- Name: alert_channels drop_deliveries; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER drop_deliveries AFTER UPDATE OF off_reason ON public.alert_channels FOR EACH ROW WHEN (((old.off_reason IS NULL) AND (new.off_reason IS NOT NULL))) EXECUTE FUNCTION public.drop_deliveries();


--
-- Name: workspaces grant_by_plan; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER grant_by_plan AFTER UPDATE OF plan_key ON public.workspaces FOR EACH ROW WHEN ((old.plan_key <> new.plan_key)) EXECUTE FUNCTION public.grant_by_plan();


--
-- Name: plans grant_to_workspaces; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER grant_to_workspaces AFTER UPDATE OF credits_per_cycle ON public.plans FOR EACH ROW WHEN ((old.credits_per_cycle <> new.credits_per_cycle)) EXECUTE FUNCTION public.grant_to_workspaces();


--
-- Name: notifications keep_late_unread; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER keep_late_unread AFTER INSERT ON public.notifications REFERENCING NEW TABLE AS new_notifications FOR EACH STATEMENT EXECUTE FUNCTION public.keep_late_unread();


--
-- Name: jobs move_runs; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER move_runs AFTER UPDATE ON public.jobs REFERENCING OLD TABLE AS jobs_before NEW TABLE AS jobs_now FOR EACH STATEMENT EXECUTE FUNCTION public.move_runs();


--
-- Name: api_key_secrets notify_change; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER notify_change AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.api_key_secrets FOR EACH STATEMENT EXECUTE FUNCTION public.notify_change();


--
-- Name: api_keys notify_change; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER notify_change AFTER INSERT OR DELETE OR UPDATE OF id, workspace_id, created_by, name, scopes, allowlist, created_at, expires_at, revoked_at OR TRUNCATE ON public.api_keys FOR EACH STATEMENT EXECUTE FUNCTION public.notify_change();


--
-- Name: domains notify_change; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER notify_change AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.domains FOR EACH STATEMENT EXECUTE FUNCTION public.notify_change();


--
-- Name: members notify_change; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER notify_change AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.members FOR EACH STATEMENT EXECUTE FUNCTION public.notify_change();


--
-- Name: oauth_clients notify_change; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER notify_change AFTER DELETE OR UPDATE OF verified_at ON public.oauth_clients FOR EACH ROW EXECUTE FUNCTION public.notify_change();


--
-- Name: oauth_grants notify_change; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER notify_change AFTER DELETE OR UPDATE OF revoked_at ON public.oauth_grants FOR EACH ROW EXECUTE FUNCTION public.notify_change();


--
-- Name: oauth_signing_keys notify_change; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER notify_change AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.oauth_signing_keys FOR EACH STATEMENT EXECUTE FUNCTION public.notify_change();


--
-- Name: plans notify_change; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER notify_change AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.plans FOR EACH STATEMENT EXECUTE FUNCTION public.notify_change();


--
-- Name: switches notify_change; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER notify_change AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.switches FOR EACH STATEMENT EXECUTE FUNCTION public.notify_change();


--
-- Name: users notify_change; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER notify_change AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.users FOR EACH STATEMENT EXECUTE FUNCTION public.notify_change();


--
-- Name: workspaces notify_change; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER notify_change AFTER INSERT OR DELETE OR UPDATE OR TRUNCATE ON public.workspaces FOR EACH STATEMENT EXECUTE FUNCTION public.notify_change();


--
-- Name: oauth_clients notify_truncation; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER notify_truncation AFTER TRUNCATE ON public.oauth_clients FOR EACH STATEMENT EXECUTE FUNCTION public.notify_change();


--
-- Name: oauth_grants notify_truncation; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER notify_truncation AFTER TRUNCATE ON public.oauth_grants FOR EACH STATEMENT EXECUTE FUNCTION public.notify_change();


--
-- Name: workspaces open_credit_balance; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER open_credit_balance AFTER INSERT ON public.workspaces FOR EACH ROW EXECUTE FUNCTION public.open_credit_balance();


--
-- Name: metric_events queue_metric_events; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER queue_metric_events AFTER INSERT ON public.metric_events REFERENCING NEW TABLE AS new_events FOR EACH STATEMENT EXECUTE FUNCTION public.queue_metric_events();


--
-- Name: notifications queue_raised_deliveries; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER queue_raised_deliveries AFTER INSERT ON public.notifications REFERENCING NEW TABLE AS new_notifications FOR EACH STATEMENT EXECUTE FUNCTION public.queue_raised_deliveries();


--
-- Name: runs queue_report_deliveries; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER queue_report_deliveries AFTER UPDATE OF status ON public.runs FOR EACH ROW WHEN (((new.kind = 'report'::text) AND (old.status = ANY (ARRAY['queued'::text, 'running'::text])) AND (new.status = 'succeeded'::text))) EXECUTE FUNCTION public.queue_report_deliveries();


--
-- Name: notifications queue_resolved_deliveries; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER queue_resolved_deliveries AFTER UPDATE ON public.notifications REFERENCING OLD TABLE AS notifications_before NEW TABLE AS notifications_now FOR EACH STATEMENT EXECUTE FUNCTION public.queue_resolved_deliveries();


--
-- Name: notices raise_notifications; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER raise_notifications AFTER INSERT ON public.notices REFERENCING NEW TABLE AS new_notices FOR EACH STATEMENT EXECUTE FUNCTION public.raise_notifications();


--
-- Name: uptime_certificate_history record_certificate_changed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER record_certificate_changed AFTER UPDATE OF replaced_at ON public.uptime_certificate_history FOR EACH ROW WHEN (((old.replaced_at IS NULL) AND (new.replaced_at IS NOT NULL))) EXECUTE FUNCTION public.record_certificate_event();


--
-- Name: uptime_incidents record_incident_began; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER record_incident_began AFTER INSERT ON public.uptime_incidents FOR EACH ROW EXECUTE FUNCTION public.record_incident_event();


--
-- Name: uptime_incidents record_incident_ended; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER record_incident_ended AFTER UPDATE OF resolved_at ON public.uptime_incidents FOR EACH ROW WHEN (((old.resolved_at IS NULL) AND (new.resolved_at IS NOT NULL))) EXECUTE FUNCTION public.record_incident_event();


--
-- Name: domain_registrations record_registration_changed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER record_registration_changed AFTER UPDATE OF changes ON public.domain_registrations FOR EACH ROW WHEN ((old.changes IS DISTINCT FROM new.changes)) EXECUTE FUNCTION public.record_registration_events();


--
-- Name: robots_versions record_robots_changed; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER record_robots_changed AFTER UPDATE OF replaced_at ON public.robots_versions FOR EACH ROW WHEN (((old.replaced_at IS NULL) AND (new.replaced_at IS NOT NULL))) EXECUTE FUNCTION public.record_robots_event();


--
-- Name: uptime_schedules schedule_for_workspace; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER schedule_for_workspace BEFORE INSERT ON public.uptime_schedules FOR EACH ROW EXECUTE FUNCTION public.schedule_for_workspace();


--
-- Name: runs tell_of_run; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER tell_of_run AFTER UPDATE OF status ON public.runs FOR EACH ROW WHEN (((old.status = ANY (ARRAY['queued'::text, 'running'::text])) AND (new.status = ANY (ARRAY['succeeded'::text, 'partial'::text, 'failed'::text])))) EXECUTE FUNCTION public.tell_of_run();


--
-- Name: notices tell_outcome_of_run; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER tell_outcome_of_run BEFORE INSERT ON public.notices FOR EACH ROW WHEN (((new.kind = 'run_finished'::text) AND ((new.data ->> 'kind'::text) = 'uptime_check'::text))) EXECUTE FUNCTION public.tell_outcome_of_run();


--
-- Name: alert_channels alert_channels_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alert_channels
    ADD CONSTRAINT alert_channels_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: alert_channels alert_channels_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alert_channels
    ADD CONSTRAINT alert_channels_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id);


--
-- Name: alert_deliveries alert_deliveries_channel_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alert_deliveries
    ADD CONSTRAINT alert_deliveries_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES public.alert_channels(id) ON DELETE CASCADE;


--
-- Name: alert_deliveries alert_deliveries_notification_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alert_deliveries
    ADD CONSTRAINT alert_deliveries_notification_id_fkey FOREIGN KEY (notification_id) REFERENCES public.notifications(id) ON DELETE CASCADE;


--
-- Name: alert_evaluations alert_evaluations_rule_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alert_evaluations
    ADD CONSTRAINT alert_evaluations_rule_id_fkey FOREIGN KEY (rule_id) REFERENCES public.alert_rules(id) ON DELETE CASCADE;


--
-- Name: alert_history alert_history_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alert_history
    ADD CONSTRAINT alert_history_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: alert_history alert_history_rule_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alert_history
    ADD CONSTRAINT alert_history_rule_id_fkey FOREIGN KEY (rule_id) REFERENCES public.alert_rules(id) ON DELETE SET NULL;


--
-- Name: alert_rules alert_rules_created_by_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alert_rules
    ADD CONSTRAINT alert_rules_created_by_fkey FOREIGN KEY (created_by) REFERENCES public.users(id);


--
-- Name: alert_rules alert_rules_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.alert_rules
    ADD CONSTRAINT alert_rules_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: analytics_evaluations analytics_evaluations_experiment_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.analytics_evaluations
    ADD CONSTRAINT analytics_evaluations_experiment_id_fkey FOREIGN KEY (experiment_id) REFERENCES public.analytics_experiments(id) ON DELETE CASCADE;


--
-- Name: analytics_experiments analytics_experiments_created_by_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.analytics_experiments
    ADD CONSTRAINT analytics_experiments_created_by_fkey FOREIGN KEY (created_by) REFERENCES public.users(id);


--
-- Name: analytics_experiments analytics_experiments_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.analytics_experiments
    ADD CONSTRAINT analytics_experiments_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: analytics_new_values analytics_new_values_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.analytics_new_values
    ADD CONSTRAINT analytics_new_values_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: analytics_progress analytics_progress_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.analytics_progress
    ADD CONSTRAINT analytics_progress_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: analytics_sites analytics_sites_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.analytics_sites
    ADD CONSTRAINT analytics_sites_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: analytics_sites analytics_sites_updated_by_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.analytics_sites
    ADD CONSTRAINT analytics_sites_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES public.users(id);


--
-- Name: analytics_values analytics_values_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.analytics_values
    ADD CONSTRAINT analytics_values_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: api_key_secrets api_key_secrets_key_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.api_key_secrets
    ADD CONSTRAINT api_key_secrets_key_id_fkey FOREIGN KEY (key_id) REFERENCES public.api_keys(id);


--
-- Name: api_keys api_keys_created_by_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_created_by_fkey FOREIGN KEY (created_by) REFERENCES public.users(id);


--
-- Name: api_keys api_keys_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id);


--
-- Name: collect_bots collect_bots_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.collect_bots
    ADD CONSTRAINT collect_bots_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: collect_sites collect_sites_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.collect_sites
    ADD CONSTRAINT collect_sites_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: credit_balances credit_balances_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.credit_balances
    ADD CONSTRAINT credit_balances_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id);


--
-- Name: crux_figures crux_figures_target_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.crux_figures
    ADD CONSTRAINT crux_figures_target_id_fkey FOREIGN KEY (target_id) REFERENCES public.crux_targets(id) ON DELETE CASCADE;


--
-- Name: crux_lookups crux_lookups_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.crux_lookups
    ADD CONSTRAINT crux_lookups_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: crux_lookups crux_lookups_run_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.crux_lookups
    ADD CONSTRAINT crux_lookups_run_id_fkey FOREIGN KEY (run_id) REFERENCES public.runs(id) ON DELETE CASCADE;


--
-- Name: crux_targets crux_targets_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.crux_targets
    ADD CONSTRAINT crux_targets_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: crux_targets crux_targets_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.crux_targets
    ADD CONSTRAINT crux_targets_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id);


--
-- Name: domains domains_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.domains
    ADD CONSTRAINT domains_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id);


--
-- Name: indexing_removed indexing_removed_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.indexing_removed
    ADD CONSTRAINT indexing_removed_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: indexing_rich_issues indexing_rich_issues_url_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.indexing_rich_issues
    ADD CONSTRAINT indexing_rich_issues_url_id_fkey FOREIGN KEY (url_id) REFERENCES public.indexing_urls(id) ON DELETE CASCADE;


--
-- Name: indexing_rich_types indexing_rich_types_url_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.indexing_rich_types
    ADD CONSTRAINT indexing_rich_types_url_id_fkey FOREIGN KEY (url_id) REFERENCES public.indexing_urls(id) ON DELETE CASCADE;


--
-- Name: indexing_run_urls indexing_run_urls_run_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.indexing_run_urls
    ADD CONSTRAINT indexing_run_urls_run_id_fkey FOREIGN KEY (run_id) REFERENCES public.indexing_runs(run_id) ON DELETE CASCADE;


--
-- Name: indexing_runs indexing_runs_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.indexing_runs
    ADD CONSTRAINT indexing_runs_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: indexing_runs indexing_runs_run_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.indexing_runs
    ADD CONSTRAINT indexing_runs_run_id_fkey FOREIGN KEY (run_id) REFERENCES public.runs(id) ON DELETE CASCADE;


--
-- Name: indexing_sites indexing_sites_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.indexing_sites
    ADD CONSTRAINT indexing_sites_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: indexing_urls indexing_urls_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.indexing_urls
    ADD CONSTRAINT indexing_urls_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: members members_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);


--
-- Name: members members_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.members
    ADD CONSTRAINT members_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id);


--
-- Name: metric_events metric_events_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.metric_events
    ADD CONSTRAINT metric_events_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: notification_read_marks notification_read_marks_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notification_read_marks
    ADD CONSTRAINT notification_read_marks_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: notification_read_marks notification_read_marks_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notification_read_marks
    ADD CONSTRAINT notification_read_marks_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);


--
-- Name: notification_reads notification_reads_notification_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notification_reads
    ADD CONSTRAINT notification_reads_notification_id_fkey FOREIGN KEY (notification_id) REFERENCES public.notifications(id) ON DELETE CASCADE;


--
-- Name: notification_reads notification_reads_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notification_reads
    ADD CONSTRAINT notification_reads_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);


--
-- Name: notifications notifications_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notifications
    ADD CONSTRAINT notifications_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: notifications notifications_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notifications
    ADD CONSTRAINT notifications_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id);


--
-- Name: oauth_codes oauth_codes_client_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.oauth_codes
    ADD CONSTRAINT oauth_codes_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.oauth_clients(id);


--
-- Name: oauth_codes oauth_codes_grant_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.oauth_codes
    ADD CONSTRAINT oauth_codes_grant_id_fkey FOREIGN KEY (grant_id) REFERENCES public.oauth_grants(id);


--
-- Name: oauth_codes oauth_codes_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.oauth_codes
    ADD CONSTRAINT oauth_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);


--
-- Name: oauth_grants oauth_grants_client_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.oauth_grants
    ADD CONSTRAINT oauth_grants_client_id_fkey FOREIGN KEY (client_id) REFERENCES public.oauth_clients(id);


--
-- Name: oauth_grants oauth_grants_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.oauth_grants
    ADD CONSTRAINT oauth_grants_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);


--
-- Name: oauth_refresh_tokens oauth_refresh_tokens_grant_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.oauth_refresh_tokens
    ADD CONSTRAINT oauth_refresh_tokens_grant_id_fkey FOREIGN KEY (grant_id) REFERENCES public.oauth_grants(id);


--
-- Name: pending_sign_ins pending_sign_ins_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.pending_sign_ins
    ADD CONSTRAINT pending_sign_ins_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);


--
-- Name: plan_quotas plan_quotas_plan_key_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.plan_quotas
    ADD CONSTRAINT plan_quotas_plan_key_fkey FOREIGN KEY (plan_key) REFERENCES public.plans(key);


--
-- Name: quota_usage quota_usage_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.quota_usage
    ADD CONSTRAINT quota_usage_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id);


--
-- Name: recovery_codes recovery_codes_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.recovery_codes
    ADD CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);


--
-- Name: report_deliveries report_deliveries_recipient_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.report_deliveries
    ADD CONSTRAINT report_deliveries_recipient_id_fkey FOREIGN KEY (recipient_id) REFERENCES public.report_recipients(id) ON DELETE CASCADE;


--
-- Name: report_deliveries report_deliveries_run_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.report_deliveries
    ADD CONSTRAINT report_deliveries_run_id_fkey FOREIGN KEY (run_id) REFERENCES public.report_runs(run_id) ON DELETE CASCADE;


--
-- Name: report_questions report_questions_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.report_questions
    ADD CONSTRAINT report_questions_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id);


--
-- Name: report_recipients report_recipients_template_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.report_recipients
    ADD CONSTRAINT report_recipients_template_id_fkey FOREIGN KEY (template_id) REFERENCES public.report_templates(id) ON DELETE CASCADE;


--
-- Name: report_runs report_runs_run_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.report_runs
    ADD CONSTRAINT report_runs_run_id_fkey FOREIGN KEY (run_id) REFERENCES public.runs(id) ON DELETE CASCADE;


--
-- Name: report_runs report_runs_template_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.report_runs
    ADD CONSTRAINT report_runs_template_id_fkey FOREIGN KEY (template_id) REFERENCES public.report_templates(id) ON DELETE SET NULL;


--
-- Name: report_templates report_templates_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.report_templates
    ADD CONSTRAINT report_templates_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: robots_checks robots_checks_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE public.robots_checks
    ADD CONSTRAINT robots_checks_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: robots_sites robots_sites_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.robots_sites
    ADD CONSTRAINT robots_sites_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: robots_sites robots_sites_version_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.robots_sites
    ADD CONSTRAINT robots_sites_version_id_fkey FOREIGN KEY (version_id) REFERENCES public.robots_versions(id);


--
-- Name: robots_test_urls robots_test_urls_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.robots_test_urls
    ADD CONSTRAINT robots_test_urls_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: robots_versions robots_versions_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.robots_versions
    ADD CONSTRAINT robots_versions_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: rum_new_texts rum_new_texts_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_new_texts
    ADD CONSTRAINT rum_new_texts_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: rum_progress rum_progress_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_progress
    ADD CONSTRAINT rum_progress_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: rum_sites rum_sites_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_sites
    ADD CONSTRAINT rum_sites_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: rum_sites rum_sites_updated_by_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_sites
    ADD CONSTRAINT rum_sites_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES public.users(id);


--
-- Name: rum_texts rum_texts_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.rum_texts
    ADD CONSTRAINT rum_texts_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: runs runs_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.runs
    ADD CONSTRAINT runs_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: search_accounts search_accounts_created_by_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_accounts
    ADD CONSTRAINT search_accounts_created_by_fkey FOREIGN KEY (created_by) REFERENCES public.users(id);


--
-- Name: search_accounts search_accounts_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_accounts
    ADD CONSTRAINT search_accounts_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id);


--
-- Name: search_configs search_configs_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_configs
    ADD CONSTRAINT search_configs_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: search_configs search_configs_updated_by_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_configs
    ADD CONSTRAINT search_configs_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES public.users(id);


--
-- Name: search_imports search_imports_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_imports
    ADD CONSTRAINT search_imports_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: search_properties search_properties_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_properties
    ADD CONSTRAINT search_properties_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.search_accounts(id);


--
-- Name: search_properties search_properties_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_properties
    ADD CONSTRAINT search_properties_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: search_properties search_properties_linked_by_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_properties
    ADD CONSTRAINT search_properties_linked_by_fkey FOREIGN KEY (linked_by) REFERENCES public.users(id);


--
-- Name: search_submitted_sitemaps search_submitted_sitemaps_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_submitted_sitemaps
    ADD CONSTRAINT search_submitted_sitemaps_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: search_values search_values_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_values
    ADD CONSTRAINT search_values_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: second_factors second_factors_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.second_factors
    ADD CONSTRAINT second_factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);


--
-- Name: sessions sessions_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);


--
-- Name: sign_in_links sign_in_links_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sign_in_links
    ADD CONSTRAINT sign_in_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);


--
-- Name: sitemap_checks sitemap_checks_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE public.sitemap_checks
    ADD CONSTRAINT sitemap_checks_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: sitemap_conflicts sitemap_conflicts_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sitemap_conflicts
    ADD CONSTRAINT sitemap_conflicts_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: sitemap_conflicts sitemap_conflicts_file_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sitemap_conflicts
    ADD CONSTRAINT sitemap_conflicts_file_id_fkey FOREIGN KEY (file_id) REFERENCES public.sitemap_files(id);


--
-- Name: sitemap_files sitemap_files_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sitemap_files
    ADD CONSTRAINT sitemap_files_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: sitemap_files sitemap_files_parent_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sitemap_files
    ADD CONSTRAINT sitemap_files_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES public.sitemap_files(id);


--
-- Name: sitemap_issues sitemap_issues_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sitemap_issues
    ADD CONSTRAINT sitemap_issues_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: sitemap_issues sitemap_issues_file_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sitemap_issues
    ADD CONSTRAINT sitemap_issues_file_id_fkey FOREIGN KEY (file_id) REFERENCES public.sitemap_files(id);


--
-- Name: sitemap_rounds sitemap_rounds_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE public.sitemap_rounds
    ADD CONSTRAINT sitemap_rounds_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: sitemap_samples sitemap_samples_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sitemap_samples
    ADD CONSTRAINT sitemap_samples_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: sitemap_sites sitemap_sites_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sitemap_sites
    ADD CONSTRAINT sitemap_sites_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: sitemap_urls sitemap_urls_file_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.sitemap_urls
    ADD CONSTRAINT sitemap_urls_file_id_fkey FOREIGN KEY (file_id) REFERENCES public.sitemap_files(id);


--
-- Name: status_page_sites status_page_sites_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.status_page_sites
    ADD CONSTRAINT status_page_sites_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id) ON DELETE CASCADE;


--
-- Name: status_page_sites status_page_sites_page_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.status_page_sites
    ADD CONSTRAINT status_page_sites_page_id_fkey FOREIGN KEY (page_id) REFERENCES public.status_pages(id) ON DELETE CASCADE;


--
-- Name: status_pages status_pages_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.status_pages
    ADD CONSTRAINT status_pages_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id) ON DELETE CASCADE;


--
-- Name: synthetic_budgets synthetic_budgets_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.synthetic_budgets
    ADD CONSTRAINT synthetic_budgets_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: synthetic_budgets synthetic_budgets_url_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.synthetic_budgets
    ADD CONSTRAINT synthetic_budgets_url_id_fkey FOREIGN KEY (url_id) REFERENCES public.synthetic_urls(id);


--
-- Name: synthetic_results synthetic_results_run_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.synthetic_results
    ADD CONSTRAINT synthetic_results_run_id_fkey FOREIGN KEY (run_id) REFERENCES public.synthetic_runs(id) ON DELETE CASCADE;


--
-- Name: synthetic_runs synthetic_runs_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.synthetic_runs
    ADD CONSTRAINT synthetic_runs_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: synthetic_runs synthetic_runs_url_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.synthetic_runs
    ADD CONSTRAINT synthetic_runs_url_id_fkey FOREIGN KEY (url_id) REFERENCES public.synthetic_urls(id);


--
-- Name: synthetic_urls synthetic_urls_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.synthetic_urls
    ADD CONSTRAINT synthetic_urls_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: synthetic_urls synthetic_urls_workspace_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.synthetic_urls
    ADD CONSTRAINT synthetic_urls_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES public.workspaces(id);


--
-- Name: uptime_certificate_history uptime_certificate_history_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_certificate_history
    ADD CONSTRAINT uptime_certificate_history_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: uptime_certificates uptime_certificates_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_certificates
    ADD CONSTRAINT uptime_certificates_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: uptime_checks uptime_checks_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE public.uptime_checks
    ADD CONSTRAINT uptime_checks_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: uptime_distributions uptime_distributions_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_distributions
    ADD CONSTRAINT uptime_distributions_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: uptime_incident_events uptime_incident_events_incident_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_incident_events
    ADD CONSTRAINT uptime_incident_events_incident_id_fkey FOREIGN KEY (incident_id) REFERENCES public.uptime_incidents(id) ON DELETE CASCADE;


--
-- Name: uptime_incidents uptime_incidents_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_incidents
    ADD CONSTRAINT uptime_incidents_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: uptime_monitors uptime_monitors_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_monitors
    ADD CONSTRAINT uptime_monitors_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: uptime_monitors uptime_monitors_registrable_domain_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_monitors
    ADD CONSTRAINT uptime_monitors_registrable_domain_fkey FOREIGN KEY (registrable_domain) REFERENCES public.domain_registrations(name);


--
-- Name: uptime_monitors uptime_monitors_updated_by_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_monitors
    ADD CONSTRAINT uptime_monitors_updated_by_fkey FOREIGN KEY (updated_by) REFERENCES public.users(id);


--
-- Name: uptime_region_states uptime_region_states_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_region_states
    ADD CONSTRAINT uptime_region_states_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: uptime_rollup_progress uptime_rollup_progress_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_rollup_progress
    ADD CONSTRAINT uptime_rollup_progress_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: uptime_rollups uptime_rollups_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_rollups
    ADD CONSTRAINT uptime_rollups_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: uptime_schedules uptime_schedules_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_schedules
    ADD CONSTRAINT uptime_schedules_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.uptime_monitors(domain_id);


--
-- Name: uptime_spans uptime_spans_domain_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.uptime_spans
    ADD CONSTRAINT uptime_spans_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);


--
-- Name: user_passwords user_passwords_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.user_passwords
    ADD CONSTRAINT user_passwords_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);


--
-- Name: wide_pulls wide_pulls_run_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.wide_pulls
    ADD CONSTRAINT wide_pulls_run_id_fkey FOREIGN KEY (run_id) REFERENCES public.runs(id) ON DELETE CASCADE;


--
-- Name: workspaces workspaces_plan_key_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.workspaces
    ADD CONSTRAINT workspaces_plan_key_fkey FOREIGN KEY (plan_key) REFERENCES public.plans(key);


--
-- PostgreSQL database dump complete
--


