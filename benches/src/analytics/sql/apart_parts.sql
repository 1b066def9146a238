SELECT /* column */ AS value, count(DISTINCT visitor_id) AS visitors, count(*) AS sessions, sum(pageviews)::bigint AS pageviews
FROM bench_sessions
WHERE domain_id = $1 AND started_at >= $2 AND started_at < $3 /* filter */
GROUP BY /* column */
ORDER BY visitors DESC
