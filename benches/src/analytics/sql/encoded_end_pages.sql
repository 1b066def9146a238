SELECT v.value, e.visitors, e.sessions, e.pageviews
FROM (
    SELECT
        s./* column */ AS page, count(DISTINCT s.visitor_id) AS visitors, count(DISTINCT s.id) AS sessions, count(*) AS pageviews
    FROM (
        SELECT id, visitor_id, /* column */
        FROM analytics_sessions
        WHERE domain_id = $1 AND started_at >= $2 AND started_at < $3 /* filter */
    ) AS s
    JOIN analytics_hits AS h
        ON h.domain_id = $1 AND h.at >= $2 AND h.at < $3 AND h.kind = 0 AND h.session_id = s.id AND h.page = s./* column */
    GROUP BY s./* column */
    ORDER BY visitors DESC
    LIMIT 50
) AS e
JOIN analytics_values AS v ON v.id = e.page
ORDER BY e.visitors DESC
