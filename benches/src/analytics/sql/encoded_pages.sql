SELECT v.value, p.visitors, p.sessions, p.pageviews
FROM (
    SELECT page, count(DISTINCT visitor_id) AS visitors, count(DISTINCT session_id) AS sessions, count(*) AS pageviews
    FROM analytics_hits
    WHERE domain_id = $1 AND at >= $2 AND at < $3 AND kind = 0 /* filter */
    GROUP BY page
    ORDER BY visitors DESC
    LIMIT 50
) AS p
JOIN analytics_values AS v ON v.id = p.page
ORDER BY p.visitors DESC
