WITH kept AS MATERIALIZED (
    SELECT
        s.id, s.visitor_id, s.started_at, s.ended_at,
        (s.pageviews = 1 AND s.events = 0 AND s.clicks = 0)::integer AS bounced,
        floor(extract(epoch FROM s.ended_at - s.started_at) * 1000) AS duration_ms
    FROM analytics_filtered_sessions($1, $2, $3, $4) AS s
), figures AS (
    -- Nobody is silent for an hour within a session, so that who was there before and after was active between.
    SELECT
        active.hour, count(DISTINCT k.visitor_id) AS visitors, 0 AS sessions, 0 AS pageviews, 0 AS bounces, 0 AS duration_ms,
        0 AS events, 0 AS orders, 0 AS cents
    FROM kept AS k
    CROSS JOIN LATERAL generate_series(
        date_trunc('hour', k.started_at, 'UTC'), k.ended_at, interval '1 hour'
    ) AS active (hour)
    GROUP BY 1
    UNION ALL
    SELECT date_trunc('hour', k.started_at, 'UTC'), 0, count(*), 0, sum(k.bounced), sum(k.duration_ms), 0, 0, 0
    FROM kept AS k
    GROUP BY 1
    UNION ALL
    SELECT
        date_trunc('hour', h.at, 'UTC'), 0, 0, count(*) FILTER (WHERE h.kind = 0), 0, 0, count(*) FILTER (WHERE h.kind = 1),
        0, 0
    FROM (
        SELECT h.*
        FROM analytics_hits AS h
        WHERE h.domain_id = $1 AND h.at >= $2 AND h.at < $3 AND h.kind IN (0, 1)
    ) AS h
    -- A full join is never a loop within a loop, however few sessions are expected.
    FULL JOIN kept AS k ON k.id = h.session_id
    WHERE num_nulls(h.id, k.id) = 0
    GROUP BY 1
    UNION ALL
    SELECT
        date_trunc('hour', c.at, 'UTC'), 0, 0, 0, 0, 0, 0, count(*) FILTER (WHERE c.step = 3),
        sum(CASE c.step WHEN 3 THEN c.value_cents ELSE -c.value_cents END) FILTER (WHERE c.currency IN ('', $5))
    FROM (
        SELECT c.*
        FROM analytics_commerce AS c
        WHERE c.domain_id = $1 AND c.at >= $2 AND c.at < $3 AND c.step IN (3, 4) AND NOT c.is_repeated
    ) AS c
    FULL JOIN kept AS k ON k.id = c.session_id
    WHERE num_nulls(c.hit_id, k.id) = 0
    GROUP BY 1
)
SELECT
    f.hour, sum(f.visitors)::bigint AS visitors, sum(f.sessions)::bigint AS sessions, sum(f.pageviews)::bigint AS pageviews,
    sum(f.bounces)::bigint AS bounces, sum(f.duration_ms)::bigint AS duration_ms, sum(f.events)::bigint AS events,
    sum(f.orders)::bigint AS orders, analytics_cents(sum(f.cents)) AS cents
FROM figures AS f
GROUP BY 1
ORDER BY 1
