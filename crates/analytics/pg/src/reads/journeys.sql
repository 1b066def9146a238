-- Sessions that viewed the same pages are one row before anything is looked at in order: most sessions are short, and alike.
WITH viewed AS MATERIALIZED (
    SELECT h.session_id, array_agg(h.page ORDER BY h.at, h.id) AS pages
    FROM analytics_hits AS h
    WHERE h.domain_id = $1 AND h.at >= $2 AND h.at < $3 AND h.kind = 0
        AND (
            coalesce(num_nonnulls(VARIADIC $4), 0) = 0
            OR h.session_id IN (SELECT s.id FROM analytics_filtered_sessions($1, $2, $3, $4) AS s)
        )
    GROUP BY 1
), alike AS (
    SELECT
        row_number() OVER () AS id, v.pages, count(*) AS sessions,
        sum(floor(extract(epoch FROM s.ended_at - s.started_at) * 1000))::bigint AS duration_ms
    FROM viewed AS v
    JOIN analytics_filtered_sessions($1, $2, $3, $4) AS s ON s.id = v.session_id
    GROUP BY v.pages
), started AS (
    SELECT
        v.id, v.page, v.place, bool_or($6 IS NULL OR v.page = $6) OVER (PARTITION BY v.id ORDER BY v.place) AS is_on
    FROM (
        SELECT a.id, v.page, v.place, lag(v.page) OVER (PARTITION BY a.id ORDER BY v.place) AS before
        FROM alike AS a
        CROSS JOIN unnest(a.pages) WITH ORDINALITY AS v (page, place)
    ) AS v
    WHERE v.before IS DISTINCT FROM v.page
), stepped AS (
    SELECT s.id, s.page, row_number() OVER (PARTITION BY s.id ORDER BY s.place) AS step
    FROM started AS s
    WHERE s.is_on
), walked AS (
    SELECT
        s.id, array_agg(s.page ORDER BY s.step) FILTER (WHERE s.step <= $5) AS path,
        max(s.step) <= $5 AS is_whole
    FROM stepped AS s
    GROUP BY 1
), ways AS (
    SELECT
        w.path, sum(a.sessions)::bigint AS sessions, sum(a.duration_ms)::bigint AS duration_ms,
        coalesce(sum(a.sessions) FILTER (WHERE w.is_whole), 0)::bigint AS exits
    FROM walked AS w
    JOIN alike AS a ON a.id = w.id
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
