CREATE OR REPLACE FUNCTION analytics_session_days(domain uuid, since timestamptz, until timestamptz, filters integer[])
RETURNS TABLE (
    day date,
    visitors bigint,
    sessions bigint,
    pageviews bigint,
    bounces bigint,
    duration_ms bigint,
    events bigint
)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
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
COMMENT ON FUNCTION analytics_session_days (uuid, timestamptz, timestamptz, integer[]) IS
    'The figures of the sessions between two midnights (UTC) that fit all filters, by day: the columns of analytics_daily.';
