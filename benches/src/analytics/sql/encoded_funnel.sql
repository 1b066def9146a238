WITH begun AS (
    SELECT DISTINCT ON (session_id) session_id, visitor_id, at
    FROM analytics_hits
    WHERE domain_id = $1 AND at >= $2 AND at < $3 AND kind = 0
        AND page = (SELECT id FROM analytics_values WHERE domain_id = $1 AND dimension = 0 AND value = '/page-0') /* filter */
    ORDER BY session_id, at, id
), ended AS (
    -- An event comes after the view of its page that has the same moment.
    SELECT DISTINCT ON (b.session_id) b.session_id, h.visitor_id, h.at - b.at AS since
    FROM begun AS b
    JOIN analytics_hits AS h ON h.session_id = b.session_id AND h.at >= b.at
    WHERE h.domain_id = $1 AND h.at >= $2 AND h.at < $3 AND h.kind = 1
        AND h.event = (SELECT id FROM analytics_values WHERE domain_id = $1 AND dimension = 16 AND value = 'signup')
    ORDER BY b.session_id, h.at, h.id
)
SELECT 1 AS place, count(*) AS sessions, count(DISTINCT visitor_id) AS visitors, NULL::double precision AS median_ms
FROM begun
UNION ALL
SELECT
    2, count(*), count(DISTINCT visitor_id),
    percentile_cont(0.5) WITHIN GROUP (ORDER BY (extract(epoch FROM since) * 1000)::double precision)
FROM ended
ORDER BY place
