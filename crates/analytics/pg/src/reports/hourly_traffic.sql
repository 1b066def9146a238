WITH kept AS MATERIALIZED (
    SELECT s.id, s.visitor_id, s.started_at, s.ended_at
    FROM analytics_filtered_sessions($1, $2, $3, $4) AS s
), active AS (
    -- As series by the hour have it: who was there before and after was active between.
    SELECT a.hour, count(DISTINCT k.visitor_id) AS visitors
    FROM kept AS k
    CROSS JOIN LATERAL generate_series(
        date_trunc('hour', k.started_at, 'UTC'), k.ended_at, interval '1 hour'
    ) AS a (hour)
    GROUP BY 1
), hits AS (
    SELECT
        date_trunc('hour', h.at, 'UTC') AS hour, count(*) FILTER (WHERE h.kind = 0) AS pageviews,
        count(*) FILTER (WHERE h.kind = 1) AS events
    FROM (
        SELECT h.*
        FROM analytics_hits AS h
        WHERE h.domain_id = $1 AND h.at >= $2 AND h.at < $3
    ) AS h
    -- A full join is never a loop within a loop, however few sessions are expected.
    FULL JOIN kept AS k ON k.id = h.session_id
    WHERE num_nulls(h.id, k.id) = 0
    GROUP BY 1
), begun AS (
    SELECT date_trunc('hour', k.started_at, 'UTC') AS hour, count(*) AS sessions
    FROM kept AS k
    GROUP BY 1
), hours AS (
    SELECT
        hour, a.visitors, coalesce(b.sessions, 0) AS sessions, coalesce(h.pageviews, 0) AS pageviews,
        coalesce(h.events, 0) AS events
    FROM active AS a
    LEFT JOIN hits AS h USING (hour)
    LEFT JOIN begun AS b USING (hour)
    ORDER BY hour
    LIMIT $6
)
INSERT INTO wide_pull_rows (run_id, place, cells)
SELECT
    $5,
    row_number() OVER (ORDER BY o.hour),
    jsonb_build_array(
        to_char(o.hour AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), o.visitors, o.sessions, o.pageviews, o.events
    )
FROM hours AS o
