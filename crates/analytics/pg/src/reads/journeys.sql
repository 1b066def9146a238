WITH viewed AS (
    SELECT
        s.id, floor(extract(epoch FROM s.ended_at - s.started_at) * 1000) AS duration_ms, h.page, h.at, h.id AS hit,
        lag(h.page) OVER (PARTITION BY s.id ORDER BY h.at, h.id) AS before
    FROM analytics_hits AS h
    JOIN analytics_filtered_sessions($1, $2, $3, $4) AS s ON s.id = h.session_id
    WHERE h.domain_id = $1 AND h.at >= $2 AND h.at < $3 AND h.kind = 0
), started AS (
    SELECT
        v.id, v.duration_ms, v.page,
        row_number() OVER (PARTITION BY v.id ORDER BY v.at, v.hit) AS place,
        bool_or($6 IS NULL OR v.page = $6) OVER (PARTITION BY v.id ORDER BY v.at, v.hit) AS is_on
    FROM viewed AS v
    WHERE v.before IS DISTINCT FROM v.page
), stepped AS (
    SELECT s.id, s.duration_ms, s.page, row_number() OVER (PARTITION BY s.id ORDER BY s.place) AS step
    FROM started AS s
    WHERE s.is_on
), walked AS (
    SELECT
        s.id, s.duration_ms, array_agg(s.page ORDER BY s.step) FILTER (WHERE s.step <= $5) AS path,
        (max(s.step) <= $5)::integer AS is_whole
    FROM stepped AS s
    GROUP BY 1, 2
), ways AS (
    SELECT w.path, count(*) AS sessions, sum(w.duration_ms)::bigint AS duration_ms, sum(w.is_whole) AS exits
    FROM walked AS w
    GROUP BY 1
), listed AS (
    SELECT w.*, row_number() OVER (ORDER BY w.sessions DESC, w.path) AS place
    FROM ways AS w
    ORDER BY w.sessions DESC, w.path
    LIMIT $7
)
SELECT
    counted.total, counted.sessions AS all_sessions,
    ARRAY(
        SELECT v.value
        FROM unnest(l.path) WITH ORDINALITY AS step (page, place)
        JOIN analytics_values AS v ON v.domain_id = $1 AND v.id = step.page
        ORDER BY step.place
    ) AS path,
    coalesce(l.sessions, 0) AS sessions, coalesce(l.duration_ms, 0) AS duration_ms, coalesce(l.exits, 0) AS exits
FROM (SELECT count(*) AS total, coalesce(sum(w.sessions), 0)::bigint AS sessions FROM ways AS w) AS counted
LEFT JOIN listed AS l ON true
ORDER BY l.place
