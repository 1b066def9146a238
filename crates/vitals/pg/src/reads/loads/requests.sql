WITH told AS MATERIALIZED (
    SELECT v.page, r.url, r.host, r.method, r.duration_ms, r.status, r.decoded_bytes
    FROM rum_chosen_views($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS v
    -- By the primary key, however few rows are expected: OFFSET keeps the planner from another way.
    CROSS JOIN LATERAL (
        SELECT r.*
        FROM rum_resources AS r
        WHERE r.domain_id = $1 AND r.at = v.at AND r.load_id = v.load_id AND r.at >= $2 AND r.at < $3
        OFFSET 0
    ) AS r
    -- By fetch or XMLHttpRequest.
    WHERE r.kind IN (6, 7)
), templates AS (
    -- An address is read once, however often it was asked for.
    SELECT u.url, rum_path_template(t.value) AS template
    FROM (SELECT DISTINCT url FROM told) AS u
    JOIN rum_texts AS t ON t.domain_id = $1 AND t.id = u.url
), requests AS (
    SELECT
        r.method, r.host, p.template, count(*) AS requests,
        rum_figure(percentile_cont(0.5) WITHIN GROUP (ORDER BY r.duration_ms)) AS p50_ms,
        rum_figure(percentile_cont($12) WITHIN GROUP (ORDER BY r.duration_ms)) AS p75_ms,
        rum_figure(percentile_cont(0.95) WITHIN GROUP (ORDER BY r.duration_ms)) AS p95_ms,
        count(*) FILTER (WHERE r.status BETWEEN 200 AND 299) AS status_2xx,
        count(*) FILTER (WHERE r.status BETWEEN 300 AND 399) AS status_3xx,
        count(*) FILTER (WHERE r.status BETWEEN 400 AND 499) AS status_4xx,
        count(*) FILTER (WHERE r.status BETWEEN 500 AND 599) AS status_5xx,
        count(*) FILTER (WHERE r.status = 0) AS failed,
        rum_share_pct(count(*) FILTER (WHERE r.status = 0 OR r.status >= 400), count(r.status)) AS failure_rate_pct,
        rum_figure(avg(r.decoded_bytes)::double precision) AS avg_response_bytes,
        count(DISTINCT r.page) AS pages_count
    FROM told AS r
    -- Both have the same addresses. A full join is never a loop within a loop, however few of them are expected.
    FULL JOIN templates AS p USING (url)
    GROUP BY r.method, r.host, p.template
    ORDER BY requests DESC, r.host, p.template, r.method
    LIMIT $14
)
SELECT to_jsonb(r) || jsonb_build_object(
    'method', (SELECT t.value FROM rum_texts AS t WHERE t.domain_id = $1 AND t.id = r.method),
    'host', (SELECT t.value FROM rum_texts AS t WHERE t.domain_id = $1 AND t.id = r.host),
    'path_template', r.template,
    'low_sample', r.requests < $13
) AS report
FROM requests AS r
ORDER BY r.requests DESC, r.host, r.template, r.method
