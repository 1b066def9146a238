SELECT (v.at AT TIME ZONE 'UTC')::date AS day, v.device,
    percentile_cont($12 / 100.0) WITHIN GROUP (ORDER BY v.lcp_ms) AS lcp_ms,
    percentile_cont($12 / 100.0) WITHIN GROUP (ORDER BY v.inp_ms) AS inp_ms,
    percentile_cont($12 / 100.0) WITHIN GROUP (ORDER BY v.cls) AS cls,
    percentile_cont($12 / 100.0) WITHIN GROUP (ORDER BY v.fcp_ms) AS fcp_ms,
    percentile_cont($12 / 100.0) WITHIN GROUP (ORDER BY v.ttfb_ms) AS ttfb_ms
FROM rum_chosen_views($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS v
GROUP BY GROUPING SETS ((1), (2), ())
