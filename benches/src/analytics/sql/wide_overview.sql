SELECT
    s.day, count(DISTINCT s.visitor_id) AS visitors, count(*) AS sessions, sum(s.views)::bigint AS pageviews,
    count(*) FILTER (WHERE s.views = 1 AND s.events = 0 AND s.clicks = 0) AS bounces,
    sum(floor(extract(epoch FROM s.lasted) * 1000))::bigint AS duration_ms, sum(s.events)::bigint AS events
FROM (
    SELECT
        session_id, visitor_id, (min(at) AT TIME ZONE 'UTC')::date AS day, max(at) - min(at) AS lasted,
        count(*) FILTER (WHERE kind = 0) AS views, count(*) FILTER (WHERE kind = 1) AS events,
        count(*) FILTER (WHERE kind IN (2, 3)) AS clicks
    FROM bench_events
    WHERE domain_id = $1 AND at >= $2 AND at < $3 /* filter */
    GROUP BY session_id, visitor_id
) AS s
GROUP BY s.day
ORDER BY s.day
