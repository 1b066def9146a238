INSERT INTO analytics_daily (
    domain_id, dimension, day, value, second, visitors, sessions, pageviews, bounces, duration_ms, events
)
SELECT $1, -1, d.day, 0, 0, d.visitors, d.sessions, d.pageviews, d.bounces, d.duration_ms, d.events
FROM analytics_session_days($1, $2, $3, NULL) AS d
UNION ALL
SELECT
    $1, each.dimension, d.day, d.value, d.second, d.visitors, d.sessions, d.pageviews, d.bounces, d.duration_ms, d.events
FROM unnest($4::smallint[]) AS each (dimension)
CROSS JOIN LATERAL analytics_dimension_days($1, $2, $3, NULL, each.dimension) AS d
