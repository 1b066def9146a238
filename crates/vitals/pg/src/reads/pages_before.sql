SELECT t.value AS url,
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
FROM rum_chosen_views($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS v
-- By the primary key, however few rows are expected: OFFSET keeps the planner from another way.
CROSS JOIN LATERAL (SELECT t.value FROM rum_texts AS t WHERE t.domain_id = $1 AND t.id = v.page OFFSET 0) AS t
CROSS JOIN (SELECT $12::double precision[] AS bands) AS b
-- IS TRUE keeps the planner from a join: pages are looked up in a table that is made once, however few views are expected.
WHERE (v.page IN (
    SELECT t.id FROM rum_texts AS t WHERE t.domain_id = $1 AND t.dimension = 0 AND t.value = ANY ($14::text[]))) IS TRUE
GROUP BY t.value
