WITH kept AS (
    SELECT
        id, visitor_id, started_at, ended_at, (pageviews = 1 AND events = 0 AND clicks = 0)::integer AS bounced,
        floor(extract(epoch FROM ended_at - started_at) * 1000) AS duration_ms
    FROM analytics_sessions
    WHERE domain_id = $1 AND started_at >= $2 AND started_at < $3 /* filter */
), active AS (
    SELECT a.hour, count(DISTINCT k.visitor_id) AS visitors
    FROM kept AS k
    CROSS JOIN LATERAL generate_series(date_trunc('hour', k.started_at, 'UTC'), k.ended_at, interval '1 hour') AS a (hour)
    GROUP BY 1
), begun AS (
    SELECT
        date_trunc('hour', started_at, 'UTC') AS hour, count(*) AS sessions, sum(bounced) AS bounces,
        sum(duration_ms) AS duration_ms
    FROM kept
    GROUP BY 1
), done AS (
    SELECT
        date_trunc('hour', at, 'UTC') AS hour, count(*) FILTER (WHERE kind = 0) AS pageviews,
        count(*) FILTER (WHERE kind = 1) AS events
    FROM analytics_hits
    WHERE domain_id = $1 AND at >= $2 AND at < $3 AND kind IN (0, 1) /* filter */
    GROUP BY 1
), ordered AS (
    SELECT
        date_trunc('hour', at, 'UTC') AS hour, count(*) FILTER (WHERE step = 3) AS orders,
        sum(CASE step WHEN 3 THEN value_cents ELSE -value_cents END) FILTER (WHERE currency IN ('', 'EUR')) AS cents
    FROM analytics_commerce
    WHERE domain_id = $1 AND at >= $2 AND at < $3 AND step IN (3, 4) AND NOT is_repeated AND session_id IN (SELECT id FROM kept)
    GROUP BY 1
)
SELECT
    hour, coalesce(visitors, 0) AS visitors, coalesce(sessions, 0) AS sessions, coalesce(pageviews, 0) AS pageviews,
    coalesce(bounces, 0)::bigint AS bounces, coalesce(duration_ms, 0)::bigint AS duration_ms, coalesce(events, 0) AS events,
    coalesce(orders, 0) AS orders, coalesce(cents, 0)::bigint AS cents
FROM active
FULL JOIN begun USING (hour)
FULL JOIN done USING (hour)
FULL JOIN ordered USING (hour)
ORDER BY hour
