SELECT v.value, e.visitors, e.sessions, e.pageviews
FROM (
    SELECT event, count(DISTINCT visitor_id) AS visitors, count(DISTINCT session_id) AS sessions, count(*) AS pageviews
    FROM analytics_hits
    WHERE domain_id = $1 AND at >= $2 AND at < $3 AND kind = 1 /* filter */
    GROUP BY event
) AS e
JOIN analytics_values AS v ON v.id = e.event
ORDER BY e.pageviews DESC
