WITH told AS (
    SELECT
        v.at, v.load_id, (v.at AT TIME ZONE 'UTC')::date AS day, v.country, v.protocol, v.ttfb_ms, p.waiting_ms, p.cache_ms,
        p.dns_ms, p.connection_ms, p.request_ms, p.redirects
    FROM rum_chosen_views($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS v
    -- By the primary key, however few rows are expected: OFFSET keeps the planner from another way.
    CROSS JOIN LATERAL (
        SELECT p.*
        FROM rum_ttfb AS p
        WHERE p.domain_id = $1 AND p.at = v.at AND p.load_id = v.load_id AND p.at >= $2 AND p.at < $3
        OFFSET 0
    ) AS p
    WHERE v.ttfb_ms IS NOT NULL
), pieces AS (
    SELECT
        day, country, protocol, grouping(day, country, protocol) AS piece,
        count(*) AS pageviews,
        rum_figure(percentile_cont($12) WITHIN GROUP (ORDER BY ttfb_ms)) AS ttfb_ms,
        rum_figure(percentile_cont($12) WITHIN GROUP (ORDER BY waiting_ms)) AS waiting_ms,
        rum_figure(percentile_cont($12) WITHIN GROUP (ORDER BY cache_ms)) AS cache_ms,
        rum_figure(percentile_cont($12) WITHIN GROUP (ORDER BY dns_ms)) AS dns_ms,
        rum_figure(percentile_cont($12) WITHIN GROUP (ORDER BY connection_ms)) AS connection_ms,
        rum_figure(percentile_cont($12) WITHIN GROUP (ORDER BY request_ms)) AS request_ms,
        rum_share_pct(count(*) FILTER (WHERE redirects > 0), count(redirects)) AS redirected_pct
    FROM told
    GROUP BY GROUPING SETS ((day), (country), (protocol), ())
), timings AS (
    SELECT s.name, avg(s.duration_ms) AS mean, count(DISTINCT (v.at, v.load_id)) AS pageviews,
        percentile_cont($12) WITHIN GROUP (ORDER BY s.duration_ms) AS p75
    FROM told AS v
    CROSS JOIN LATERAL (
        SELECT s.*
        FROM rum_server_timings AS s
        WHERE s.domain_id = $1 AND s.at = v.at AND s.load_id = v.load_id AND s.at >= $2 AND s.at < $3
        OFFSET 0
    ) AS s
    GROUP BY s.name
    ORDER BY pageviews DESC, s.name
    LIMIT 100
)
SELECT to_jsonb(w) || jsonb_build_object(
    'sample_count', w.pageviews,
    'low_sample', w.pageviews < $13,
    'server_timing', (
        SELECT coalesce(jsonb_agg(jsonb_build_object(
            'name', t.value, 'avg_ms', rum_figure(s.mean), 'p75_ms', rum_figure(s.p75), 'pageviews', s.pageviews
        ) ORDER BY s.pageviews DESC, t.value), '[]')
        FROM timings AS s JOIN rum_texts AS t ON t.domain_id = $1 AND t.id = s.name
    ),
    'by_country', (
        SELECT coalesce(jsonb_agg(to_jsonb(p) || jsonb_build_object('key', t.value)
            ORDER BY p.pageviews DESC, t.value), '[]')
        FROM pieces AS p LEFT JOIN rum_texts AS t ON t.domain_id = $1 AND t.id = p.country WHERE p.piece = 5
    ),
    'by_protocol', (
        SELECT coalesce(jsonb_agg(to_jsonb(p) || jsonb_build_object('key', t.value)
            ORDER BY p.pageviews DESC, t.value), '[]')
        FROM pieces AS p LEFT JOIN rum_texts AS t ON t.domain_id = $1 AND t.id = p.protocol WHERE p.piece = 6
    ),
    'items', (
        SELECT jsonb_agg(coalesce(to_jsonb(p), '{}') || jsonb_build_object(
            'date', d.day, 'pageviews', coalesce(p.pageviews, 0)
        ) ORDER BY d.day)
        FROM generate_series(($2 AT TIME ZONE 'UTC')::date, ($3 AT TIME ZONE 'UTC')::date - 1, interval '1 day') AS s (day)
        CROSS JOIN LATERAL (SELECT s.day::date AS day) AS d
        LEFT JOIN pieces AS p ON p.piece = 3 AND p.day = d.day
    )
) AS report
FROM pieces AS w
WHERE w.piece = 7
