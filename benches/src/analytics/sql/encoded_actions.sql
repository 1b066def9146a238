SELECT v.value, a.visitors, a.sessions, a.pageviews
FROM (
    SELECT
        /* column */ AS value, count(DISTINCT visitor_id) AS visitors, count(DISTINCT session_id) AS sessions, count(*) AS pageviews
    FROM analytics_hits
    WHERE domain_id = $1 AND at >= $2 AND at < $3 AND kind = /* kind */ /* filter */
    GROUP BY /* column */
) AS a
JOIN analytics_values AS v ON v.id = a.value
ORDER BY a.pageviews DESC, v.value COLLATE "C"
