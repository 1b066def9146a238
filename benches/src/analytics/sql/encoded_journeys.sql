WITH viewed AS (
    SELECT session_id, page, at, id, lag(page) OVER (PARTITION BY session_id ORDER BY at, id) AS before
    FROM analytics_hits
    WHERE domain_id = $1 AND at >= $2 AND at < $3 AND kind = 0 /* filter */
), stepped AS (
    SELECT session_id, page, row_number() OVER (PARTITION BY session_id ORDER BY at, id) AS step
    FROM viewed
    WHERE before IS DISTINCT FROM page
), walked AS (
    SELECT session_id, array_agg(page ORDER BY step) FILTER (WHERE step <= 3) AS path, (max(step) <= 3)::integer AS is_whole
    FROM stepped
    GROUP BY session_id
), ways AS (
    SELECT
        w.path, count(*) AS sessions, sum(w.is_whole) AS exits,
        sum(floor(extract(epoch FROM s.ended_at - s.started_at) * 1000))::bigint AS duration_ms
    FROM walked AS w
    JOIN analytics_sessions AS s ON s.id = w.session_id
    WHERE s.domain_id = $1 AND s.started_at >= $2 AND s.started_at < $3
    GROUP BY w.path
    ORDER BY sessions DESC, w.path
    LIMIT 100
)
SELECT
    (
        SELECT string_agg(v.value, ' ' ORDER BY step.place)
        FROM unnest(w.path) WITH ORDINALITY AS step (page, place)
        JOIN analytics_values AS v ON v.id = step.page
    ) AS value,
    w.sessions AS visitors, w.exits AS sessions, w.duration_ms AS pageviews
FROM ways AS w
ORDER BY w.sessions DESC, w.path
