CREATE OR REPLACE FUNCTION analytics_sessions_by(domain uuid, since timestamptz, until timestamptz, filters integer[], dimension integer)
RETURNS TABLE (
    id bigint,
    visitor_id bigint,
    started_at timestamptz,
    pageviews integer,
    events integer,
    bounces integer,
    duration_ms numeric,
    value integer,
    second integer
)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
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
COMMENT ON FUNCTION analytics_sessions_by (uuid, timestamptz, timestamptz, integer[], integer) IS
    'The sessions between two midnights (UTC) that fit all filters, each with its value of a dimension, as analytics_daily numbers both.';
