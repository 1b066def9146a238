CREATE OR REPLACE FUNCTION analytics_dimension_days(domain uuid, since timestamptz, until timestamptz, filters integer[], dimension integer)
RETURNS TABLE (
    day date,
    value integer,
    second integer,
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
COMMENT ON FUNCTION analytics_dimension_days (uuid, timestamptz, timestamptz, integer[], integer) IS
    'The figures of the sessions between two midnights (UTC) that fit all filters, by day and value of a dimension: the columns of analytics_daily.';
