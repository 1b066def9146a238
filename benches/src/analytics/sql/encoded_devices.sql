SELECT
    (ARRAY['desktop', 'mobile', 'tablet'])[device + 1] AS value, count(DISTINCT visitor_id) AS visitors, count(*) AS sessions,
    sum(pageviews)::bigint AS pageviews
FROM analytics_sessions
WHERE domain_id = $1 AND started_at >= $2 AND started_at < $3 /* filter */
GROUP BY device
ORDER BY visitors DESC
