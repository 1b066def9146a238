SELECT d.day, d.visitors, d.sessions, d.pageviews, d.bounces, d.duration_ms, d.events
FROM analytics_daily AS d
WHERE d.domain_id = $1 AND d.dimension = -1 AND d.day >= $2 AND d.day < $3 AND d.value = 0
UNION ALL
SELECT r.day, r.visitors, r.sessions, r.pageviews, r.bounces, r.duration_ms, r.events
FROM analytics_session_days($1, $4, $5, $6) AS r
ORDER BY 1
