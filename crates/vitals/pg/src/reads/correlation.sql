WITH viewed AS (
    SELECT m.value, e.visible_ms, e.scroll_pct,
        v.navigation <> $15 AS is_load,
        v.navigation <> $15 AND c.load_id IS NOT NULL AS converted,
        -- Null where one of the two was not measured: one alone tells only that a view did not bounce.
        CASE WHEN num_nulls(e.visible_ms, e.interactions) = 0 THEN e.visible_ms < $13 AND e.interactions = 0 END AS bounced
    FROM rum_chosen_views($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS v
    -- A full join is never a loop within a loop, however few views are expected.
    FULL JOIN (
        SELECT e.*
        FROM rum_engagements AS e
        WHERE e.domain_id = $1 AND e.at >= $2 AND e.at < $3
    ) AS e ON e.at = v.at AND e.load_id = v.load_id
    FULL JOIN (SELECT DISTINCT unnest($16::bigint[]) AS load_id) AS c ON c.load_id = v.load_id
    CROSS JOIN LATERAL (
        SELECT CASE $12::smallint WHEN 0 THEN v.lcp_ms WHEN 1 THEN v.inp_ms WHEN 2 THEN v.cls WHEN 4 THEN v.ttfb_ms END AS value
    ) AS m
    WHERE num_nulls(m.value) = 0
), ranked AS (
    -- Equal values have the mean of their ranks each.
    SELECT
        rank() OVER (ORDER BY value) + (count(*) OVER (PARTITION BY value) - 1) / 2.0 AS of_value,
        rank() OVER (ORDER BY visible_ms) + (count(*) OVER (PARTITION BY visible_ms) - 1) / 2.0 AS of_time
    FROM viewed
    WHERE visible_ms IS NOT NULL
), correlated AS MATERIALIZED (
    SELECT count(*) AS pairs, corr(of_value, of_time) AS rho
    FROM ranked
)
SELECT width_bucket(v.value, $14::double precision[]) - 1 AS bucket,
    count(*) AS views,
    count(v.bounced) AS judged,
    count(*) FILTER (WHERE v.bounced) AS bounces,
    avg(v.visible_ms)::double precision AS visible_ms,
    avg(v.scroll_pct)::double precision AS scroll_pct,
    count(*) FILTER (WHERE v.is_load) AS loads,
    count(*) FILTER (WHERE v.converted) AS converted,
    c.pairs, c.rho
FROM viewed AS v CROSS JOIN correlated AS c
GROUP BY bucket, c.pairs, c.rho
ORDER BY bucket
