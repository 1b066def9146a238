SELECT
    /* column */ AS value, count(DISTINCT visitor_id) AS visitors, count(DISTINCT session_id) AS sessions,
    count(*) FILTER (WHERE kind = 0) AS pageviews
FROM bench_events
WHERE domain_id = $1 AND at >= $2 AND at < $3 /* filter */
GROUP BY /* column */
ORDER BY visitors DESC
