CREATE OR REPLACE FUNCTION analytics_action_days(domain uuid, since timestamptz, until timestamptz, filters integer[], asked integer)
RETURNS TABLE (
    day date,
    value integer,
    page integer,
    hits bigint,
    visitors bigint,
    sessions bigint,
    exits bigint,
    results integer,
    last_at timestamptz
)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    WITH done AS (
        SELECT
            (h.at AT TIME ZONE 'UTC')::date AS day,
            h.value,
            -- Only of links and downloads it is told on which pages they are.
            CASE WHEN asked IN (2, 3) THEN h.page END AS page,
            h.at, h.id, h.results, h.session_id, h.visitor_id,
            coalesce(s.exit_at <= h.at, true) AS is_exit
        FROM (
            SELECT h.*, CASE asked WHEN 1 THEN h.event WHEN 4 THEN h.term ELSE h.link END AS value
            FROM analytics_hits AS h
            WHERE h.domain_id = domain AND h.at >= since AND h.at < until AND h.kind = asked
                AND CASE asked WHEN 1 THEN h.event WHEN 4 THEN h.term ELSE h.link END IS NOT NULL
        ) AS h
        -- A full join is never a loop within a loop, however few sessions are expected.
        FULL JOIN analytics_filtered_sessions(domain, since, until, filters) AS s ON s.id = h.session_id
        WHERE num_nulls(h.id, s.id) = 0
    )
    SELECT
        d.day, d.value, coalesce(d.page, 0), count(*), count(DISTINCT d.visitor_id), count(DISTINCT d.session_id),
        count(*) FILTER (WHERE d.is_exit),
        (array_agg(d.results ORDER BY d.at DESC, d.id) FILTER (WHERE d.results IS NOT NULL))[1],
        max(d.at)
    FROM done AS d
    GROUP BY GROUPING SETS ((d.day, d.value), (d.day, d.value, d.page))
    HAVING grouping(d.page) = 1 OR d.page IS NOT NULL
$$;
COMMENT ON FUNCTION analytics_action_days (uuid, timestamptz, timestamptz, integer[], integer) IS
    'The actions between two midnights (UTC) in the sessions that fit all filters, of one kind of analytics_hits, by day and value: the columns of analytics_actions.';
