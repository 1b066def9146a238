SELECT event AS value, count(DISTINCT visitor_id) AS visitors, count(DISTINCT session_id) AS sessions, count(*) AS pageviews
FROM bench_hits
WHERE domain_id = $1 AND at >= $2 AND at < $3 AND kind = 1 /* filter */
GROUP BY event
ORDER BY pageviews DESC
