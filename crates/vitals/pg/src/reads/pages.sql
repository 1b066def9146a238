WITH fitting AS MATERIALIZED (
    SELECT v.page, v.lcp_ms, v.inp_ms, v.cls, v.fcp_ms, v.ttfb_ms, v.errors, v.navigation
    FROM rum_chosen_views($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS v
), found AS (
    SELECT v.page, sum(count(*)) OVER () AS all_views,
        -- The list is ordered by this key, negative where the greatest comes first. A percentile of nothing costs nothing.
        $15::double precision * CASE $14::smallint
            WHEN 0 THEN count(*)
            WHEN 5 THEN sum(v.errors)
            ELSE percentile_cont($13 / 100.0) WITHIN GROUP (
                ORDER BY CASE $14::smallint WHEN 1 THEN v.lcp_ms WHEN 2 THEN v.inp_ms WHEN 3 THEN v.cls WHEN 4 THEN v.ttfb_ms END
            )
        END AS key
    FROM fitting AS v
    GROUP BY v.page
), listed AS (
    SELECT f.page, f.all_views, f.key, t.value AS url
    FROM found AS f
    JOIN rum_texts AS t ON t.domain_id = $1 AND t.id = f.page
    WHERE ($16::text IS NULL OR position(lower($16) IN lower(t.value)) > 0)
        -- After the position, if there is one: nulls come last.
        AND (
            NOT $17::boolean
            OR f.key > $18::double precision
            OR (f.key = $18 AND t.value > $19::text)
            OR (f.key IS NULL AND ($18 IS NOT NULL OR t.value > $19))
        )
    ORDER BY f.key NULLS LAST, t.value
    LIMIT $20
)
SELECT l.url, l.key, l.all_views::bigint AS all_views,
    ARRAY[
        count(*),
        count(*) FILTER (WHERE num_nonnulls(v.lcp_ms, v.inp_ms, v.cls) > 0),
        count(*) FILTER (WHERE rum_is_good(v.lcp_ms, v.inp_ms, v.cls, b.bands)),
        count(*) FILTER (WHERE v.errors > 0),
        sum(v.errors),
        count(*) FILTER (WHERE v.navigation IN (3, 4)),
        count(*) FILTER (WHERE v.navigation = 4),
        count(*) FILTER (WHERE v.lcp_ms <= b.bands[1]),
        count(*) FILTER (WHERE v.lcp_ms > b.bands[1] AND v.lcp_ms <= b.bands[2]),
        count(*) FILTER (WHERE v.lcp_ms > b.bands[2]),
        count(*) FILTER (WHERE v.inp_ms <= b.bands[3]),
        count(*) FILTER (WHERE v.inp_ms > b.bands[3] AND v.inp_ms <= b.bands[4]),
        count(*) FILTER (WHERE v.inp_ms > b.bands[4]),
        count(*) FILTER (WHERE v.cls <= b.bands[5]),
        count(*) FILTER (WHERE v.cls > b.bands[5] AND v.cls <= b.bands[6]),
        count(*) FILTER (WHERE v.cls > b.bands[6]),
        count(*) FILTER (WHERE v.fcp_ms <= b.bands[7]),
        count(*) FILTER (WHERE v.fcp_ms > b.bands[7] AND v.fcp_ms <= b.bands[8]),
        count(*) FILTER (WHERE v.fcp_ms > b.bands[8]),
        count(*) FILTER (WHERE v.ttfb_ms <= b.bands[9]),
        count(*) FILTER (WHERE v.ttfb_ms > b.bands[9] AND v.ttfb_ms <= b.bands[10]),
        count(*) FILTER (WHERE v.ttfb_ms > b.bands[10])
    ]::bigint[] AS figures,
    ARRAY[
        percentile_cont($13 / 100.0) WITHIN GROUP (ORDER BY v.lcp_ms),
        percentile_cont($13 / 100.0) WITHIN GROUP (ORDER BY v.inp_ms),
        percentile_cont($13 / 100.0) WITHIN GROUP (ORDER BY v.cls),
        percentile_cont($13 / 100.0) WITHIN GROUP (ORDER BY v.fcp_ms),
        percentile_cont($13 / 100.0) WITHIN GROUP (ORDER BY v.ttfb_ms)
    ] AS percentiles
FROM listed AS l
-- A full join is never a loop within a loop, however few pages are expected.
FULL JOIN fitting AS v ON v.page = l.page
CROSS JOIN (SELECT $12::double precision[] AS bands) AS b
WHERE num_nulls(l.page) = 0
GROUP BY l.page, l.url, l.key, l.all_views
ORDER BY l.key NULLS LAST, l.url
