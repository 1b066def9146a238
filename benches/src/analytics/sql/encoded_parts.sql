SELECT v.value, s.visitors, s.sessions, s.pageviews
FROM (
    SELECT /* column */, count(DISTINCT visitor_id) AS visitors, count(*) AS sessions, sum(pageviews)::bigint AS pageviews
    FROM analytics_sessions
    WHERE domain_id = $1 AND started_at >= $2 AND started_at < $3 /* filter */
    GROUP BY /* column */
) AS s
JOIN analytics_values AS v ON v.id = s./* column */
ORDER BY s.visitors DESC
