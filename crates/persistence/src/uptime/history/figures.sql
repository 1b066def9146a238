SELECT CASE WHEN $5 THEN c.region END AS region,
    count(c.outcome) AS total,
    count(*) FILTER (WHERE c.outcome = 'up') AS up,
    count(*) FILTER (WHERE c.outcome = 'down') AS down,
    count(*) FILTER (WHERE c.outcome = 'degraded') AS degraded,
    count(c.response_ms) FILTER (WHERE c.outcome IN ('up', 'degraded')) AS samples,
    avg(c.response_ms) FILTER (WHERE c.outcome IN ('up', 'degraded')) AS mean,
    min(c.response_ms) FILTER (WHERE c.outcome IN ('up', 'degraded')) AS least,
    max(c.response_ms) FILTER (WHERE c.outcome IN ('up', 'degraded')) AS most,
    percentile_cont(ARRAY[0.5, 0.75, 0.9, 0.95, 0.99]) WITHIN GROUP (ORDER BY c.response_ms)
        FILTER (WHERE c.outcome IN ('up', 'degraded')) AS percentiles,
    ARRAY[
        avg(c.dns_ms) FILTER (WHERE c.outcome IN ('up', 'degraded')),
        avg(c.connect_ms) FILTER (WHERE c.outcome IN ('up', 'degraded')),
        avg(c.tls_ms) FILTER (WHERE c.outcome IN ('up', 'degraded')),
        avg(c.ttfb_ms) FILTER (WHERE c.outcome IN ('up', 'degraded')),
        avg(c.download_ms) FILTER (WHERE c.outcome IN ('up', 'degraded'))
    ] AS phase_means,
    ARRAY[
        percentile_cont(0.95) WITHIN GROUP (ORDER BY c.dns_ms) FILTER (WHERE c.outcome IN ('up', 'degraded')),
        percentile_cont(0.95) WITHIN GROUP (ORDER BY c.connect_ms) FILTER (WHERE c.outcome IN ('up', 'degraded')),
        percentile_cont(0.95) WITHIN GROUP (ORDER BY c.tls_ms) FILTER (WHERE c.outcome IN ('up', 'degraded')),
        percentile_cont(0.95) WITHIN GROUP (ORDER BY c.ttfb_ms) FILTER (WHERE c.outcome IN ('up', 'degraded')),
        percentile_cont(0.95) WITHIN GROUP (ORDER BY c.download_ms) FILTER (WHERE c.outcome IN ('up', 'degraded'))
    ] AS phase_p95s
FROM unnest($2, $3) WITH ORDINALITY AS stretch (starts_at, ends_at, place)
LEFT JOIN uptime_checks AS c ON c.domain_id = $1
    AND c.checked_at >= stretch.starts_at AND c.checked_at < stretch.ends_at
    AND ($4 IS NULL OR c.region = $4)
GROUP BY stretch.place, 1
ORDER BY stretch.place, 1
