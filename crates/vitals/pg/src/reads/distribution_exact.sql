WITH measured AS (
    SELECT m.value, width_bucket(m.value, $14::double precision[]) AS bin
    FROM rum_chosen_views($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS v
    CROSS JOIN LATERAL (
        SELECT CASE $12::smallint
            WHEN 0 THEN v.lcp_ms WHEN 1 THEN v.inp_ms WHEN 2 THEN v.cls WHEN 3 THEN v.fcp_ms WHEN 4 THEN v.ttfb_ms
        END AS value
    ) AS m
    WHERE m.value IS NOT NULL
)
SELECT
    (
        SELECT percentile_cont($13::double precision[]) WITHIN GROUP (ORDER BY value)
        FROM measured
    ) AS percentiles,
    -- Bins are counted from 1.
    ARRAY(
        SELECT count(m.bin)
        FROM generate_series(1, cardinality($14::double precision[])) AS bins (bin)
        LEFT JOIN measured AS m USING (bin)
        GROUP BY bins.bin
        ORDER BY bins.bin
    ) AS counts
