SELECT source AS value, count(DISTINCT visitor_id) AS visitors, count(*) AS sessions, sum(pageviews)::bigint AS pageviews
FROM bench_sessions
WHERE domain_id = $1 AND started_at >= $2 AND started_at < $3 /* filter */
GROUP BY source
ORDER BY visitors DESC
