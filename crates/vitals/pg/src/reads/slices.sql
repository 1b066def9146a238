WITH keyed AS (
    SELECT
        -- Numbers of texts, or of kinds; null: not known.
        CASE $13::smallint
            WHEN 0 THEN v.country
            WHEN 1 THEN v.device
            WHEN 2 THEN CASE WHEN v.device_memory <= 2 THEN 0 WHEN v.device_memory <= 4 THEN 1 WHEN v.device_memory > 4 THEN 2 END
            WHEN 3 THEN CASE WHEN v.viewport_width < 768 THEN 0 WHEN v.viewport_width < 1280 THEN 1 WHEN v.viewport_width >= 1280 THEN 2 END
            WHEN 4 THEN v.browser
            WHEN 5 THEN v.browser
            WHEN 6 THEN v.os
            WHEN 7 THEN v.connection
            WHEN 8 THEN v.protocol
            WHEN 9 THEN CASE WHEN v.rtt_ms <= 75 THEN 0 WHEN v.rtt_ms <= 275 THEN 1 WHEN v.rtt_ms > 275 THEN 2 END
            WHEN 10 THEN v.navigation
        END AS key,
        CASE $13::smallint WHEN 5 THEN v.browser_version WHEN 6 THEN v.os_version END AS version,
        v.lcp_ms, v.inp_ms, v.cls, v.fcp_ms, v.ttfb_ms, v.errors, v.navigation
    FROM rum_chosen_views($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS v
), sliced AS (
    SELECT v.key, v.version, count(*) AS views, sum(count(*)) OVER () AS all_views,
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
            percentile_cont($14 / 100.0) WITHIN GROUP (ORDER BY v.lcp_ms),
            percentile_cont($14 / 100.0) WITHIN GROUP (ORDER BY v.inp_ms),
            percentile_cont($14 / 100.0) WITHIN GROUP (ORDER BY v.cls),
            percentile_cont($14 / 100.0) WITHIN GROUP (ORDER BY v.fcp_ms),
            percentile_cont($14 / 100.0) WITHIN GROUP (ORDER BY v.ttfb_ms)
        ] AS percentiles
    FROM keyed AS v CROSS JOIN (SELECT $12::double precision[] AS bands) AS b
    GROUP BY v.key, v.version
    ORDER BY count(*) DESC, v.key, v.version
    LIMIT $15
)
SELECT s.key, s.all_views::bigint AS all_views, s.figures, s.percentiles,
    CASE WHEN $13 IN (0, 4, 5, 6, 8) THEN (
        SELECT t.value FROM rum_texts AS t WHERE t.domain_id = $1 AND t.id = s.key
    ) END AS text,
    (SELECT t.value FROM rum_texts AS t WHERE t.domain_id = $1 AND t.id = s.version) AS version
FROM sliced AS s
ORDER BY s.views DESC, text, version
