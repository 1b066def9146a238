SELECT n.value || ' ' || t.value AS value, p.visitors, p.different AS sessions, p.times AS pageviews
FROM (
    SELECT
        property, text, count(*) AS times, count(DISTINCT visitor_id) AS visitors, count(*) OVER of_property AS different,
        sum(count(*)) OVER of_property AS all_times,
        row_number() OVER (PARTITION BY property ORDER BY count(*) DESC, text) AS place
    FROM analytics_properties
    WHERE domain_id = $1 AND at >= $2 AND at < $3
        AND event = (SELECT id FROM analytics_values WHERE domain_id = $1 AND dimension = 16 AND value = 'signup')
        AND session_id IN (
            SELECT id
            FROM analytics_sessions
            WHERE domain_id = $1 AND started_at >= $2 AND started_at < $3 /* filter */
        )
    GROUP BY property, text
    WINDOW of_property AS (PARTITION BY property)
) AS p
JOIN analytics_values AS n ON n.id = p.property
JOIN analytics_values AS t ON t.id = p.text
WHERE p.place <= 100
ORDER BY p.all_times DESC, p.property, p.place
