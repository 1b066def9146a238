SELECT
    entry_page AS value, count(DISTINCT visitor_id) AS visitors, count(DISTINCT session_id) AS sessions,
    count(*) FILTER (WHERE page = entry_page) AS pageviews
FROM (
    SELECT visitor_id, session_id, page, first_value(page) OVER (PARTITION BY session_id ORDER BY at) AS entry_page
    FROM bench_events
    WHERE domain_id = $1 AND at >= $2 AND at < $3 AND kind = 0 /* filter */
) AS viewed
GROUP BY entry_page
ORDER BY visitors DESC
LIMIT 50
