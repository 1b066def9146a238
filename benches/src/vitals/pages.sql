WITH pages AS (
    SELECT
        v.page, count(*) AS views,
        percentile_cont(0.75) WITHIN GROUP (ORDER BY v.lcp_ms) AS lcp_ms,
        percentile_cont(0.75) WITHIN GROUP (ORDER BY v.inp_ms) AS inp_ms,
        percentile_cont(0.75) WITHIN GROUP (ORDER BY v.cls) AS cls,
        percentile_cont(0.75) WITHIN GROUP (ORDER BY v.fcp_ms) AS fcp_ms,
        percentile_cont(0.75) WITHIN GROUP (ORDER BY v.ttfb_ms) AS ttfb_ms
    FROM rum_views AS v
    WHERE v.domain_id = $1 AND v.at >= $2 AND v.at < $3
    GROUP BY v.page
    ORDER BY views DESC
    LIMIT 100
)
SELECT t.value AS url, p.views, p.lcp_ms, p.inp_ms, p.cls, p.fcp_ms, p.ttfb_ms
FROM pages AS p
JOIN rum_texts AS t ON t.id = p.page
ORDER BY p.views DESC
