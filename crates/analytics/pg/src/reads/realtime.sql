WITH recent AS MATERIALIZED (
    SELECT
        h.visitor_id, h.kind, date_trunc('minute', h.at, 'UTC') AS minute, h.page, h.source, h.country, h.event
    FROM analytics_hits AS h
    WHERE h.domain_id = $1 AND h.at >= $2
), pages AS (
    SELECT r.page AS value, count(DISTINCT r.visitor_id) AS visitors, count(*) AS occurrences
    FROM recent AS r
    WHERE r.kind = 0
    GROUP BY 1
    ORDER BY 2 DESC, 3 DESC, 1
    LIMIT $3
), sources AS (
    SELECT r.source AS value, count(DISTINCT r.visitor_id) AS visitors, count(*) FILTER (WHERE r.kind = 0) AS occurrences
    FROM recent AS r
    GROUP BY 1
    ORDER BY 2 DESC, 3 DESC, 1
    LIMIT $3
), countries AS (
    SELECT r.country AS value, count(DISTINCT r.visitor_id) AS visitors, count(*) FILTER (WHERE r.kind = 0) AS occurrences
    FROM recent AS r
    GROUP BY 1
    ORDER BY 2 DESC, 3 DESC, 1
    LIMIT $3
), events AS (
    SELECT r.event AS value, count(DISTINCT r.visitor_id) AS visitors, count(*) AS occurrences
    FROM recent AS r
    WHERE r.kind = 1
    GROUP BY 1
    ORDER BY 2 DESC, 3 DESC, 1
    LIMIT $3
), lists AS (
    SELECT 2 AS list, p.* FROM pages AS p
    UNION ALL
    SELECT 3, s.* FROM sources AS s
    UNION ALL
    SELECT 4, c.* FROM countries AS c
    UNION ALL
    SELECT 5, e.* FROM events AS e
)
SELECT
    0::smallint AS list, NULL::timestamptz AS minute, NULL::text AS key,
    count(DISTINCT r.visitor_id) AS visitors, count(*) FILTER (WHERE r.kind = 0) AS count
FROM recent AS r
UNION ALL
SELECT 1::smallint, r.minute, NULL, count(DISTINCT r.visitor_id), count(*) FILTER (WHERE r.kind = 0)
FROM recent AS r
GROUP BY r.minute
UNION ALL
SELECT l.list::smallint, NULL, v.value, l.visitors, l.occurrences
FROM lists AS l
LEFT JOIN analytics_values AS v ON v.domain_id = $1 AND v.id = l.value
ORDER BY 1, 2, 4 DESC, 5 DESC, 3
