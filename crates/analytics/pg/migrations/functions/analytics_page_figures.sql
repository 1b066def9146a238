CREATE OR REPLACE FUNCTION analytics_page_figures(domain uuid, since timestamptz, until timestamptz, filters integer[])
RETURNS TABLE (
    part smallint,
    page integer,
    visitors bigint,
    pageviews bigint,
    sessions bigint,
    entries bigint,
    exits bigint,
    bounces bigint,
    engaged_ms bigint,
    engaged_views bigint,
    scroll_pct bigint,
    scrolled_views bigint
)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
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
        -- The measurements of each page view: one page load may say them in parts. Days add up, so one that goes on after
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
        SELECT 0, s.page, 0, 0, 0, 0, 0, 0, sum(s.visible_ms), count(*), sum(s.scroll_pct), count(s.scroll_pct)
        FROM seen AS s
        GROUP BY s.page
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
COMMENT ON FUNCTION analytics_page_figures (uuid, timestamptz, timestamptz, integer[]) IS
    'The figures of the views of each page between two midnights (UTC), of the sessions that fit all filters: the columns of analytics_pages. Part 0: all of them, 1: those that entered at the page, 2: those that left at it.';
