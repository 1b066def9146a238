SELECT date_trunc($12, v.at, 'UTC') AS start, ARRAY[
        percentile_cont($13 / 100.0) WITHIN GROUP (ORDER BY v.lcp_ms),
        percentile_cont($13 / 100.0) WITHIN GROUP (ORDER BY v.inp_ms),
        percentile_cont($13 / 100.0) WITHIN GROUP (ORDER BY v.cls),
        percentile_cont($13 / 100.0) WITHIN GROUP (ORDER BY v.fcp_ms),
        percentile_cont($13 / 100.0) WITHIN GROUP (ORDER BY v.ttfb_ms),
        percentile_cont($13 / 100.0) WITHIN GROUP (ORDER BY v.blocking_ms)
    ] AS percentiles
FROM rum_chosen_views($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS v
GROUP BY 1
