SELECT
    (v.at AT TIME ZONE 'UTC')::date AS day, v.device,
    percentile_cont(0.75) WITHIN GROUP (ORDER BY v.lcp_ms) AS lcp_ms,
    percentile_cont(0.75) WITHIN GROUP (ORDER BY v.inp_ms) AS inp_ms,
    percentile_cont(0.75) WITHIN GROUP (ORDER BY v.cls) AS cls,
    percentile_cont(0.75) WITHIN GROUP (ORDER BY v.fcp_ms) AS fcp_ms,
    percentile_cont(0.75) WITHIN GROUP (ORDER BY v.ttfb_ms) AS ttfb_ms
FROM rum_views AS v
WHERE v.domain_id = $1 AND v.at >= $2 AND v.at < $3
GROUP BY GROUPING SETS (((v.at AT TIME ZONE 'UTC')::date), (v.device), ())
