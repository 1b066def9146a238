SELECT
    (started_at AT TIME ZONE 'UTC')::date AS day, count(DISTINCT visitor_id) AS visitors, count(*) AS sessions,
    sum(pageviews)::bigint AS pageviews, count(*) FILTER (WHERE pageviews = 1 AND events = 0 AND clicks = 0) AS bounces,
    sum(floor(extract(epoch FROM ended_at - started_at) * 1000))::bigint AS duration_ms, sum(events)::bigint AS events
FROM analytics_sessions
WHERE domain_id = $1 AND started_at >= $2 AND started_at < $3 /* filter */
GROUP BY 1
ORDER BY 1
