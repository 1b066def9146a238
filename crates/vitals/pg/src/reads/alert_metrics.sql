-- A window that begins before anything was received is no window of few views. Percentiles are those of counts of values, as
-- histograms.sql has them.
SELECT
    asked.number, v.views, v.core_views, v.good_views, v.error_views, v.errors, v.back_forwards, v.restored,
    q.requests, q.failed_requests, g.new_error_groups, h.metrics, h.lows, h.highs, h.beyond, h.samples
FROM unnest($1, $2, $3, $4, $5) WITH ORDINALITY AS asked (domain_id, since, until, device, with_requests, number)
JOIN domains AS d ON d.id = asked.domain_id AND d.deleted_at IS NULL
JOIN rum_progress AS p ON p.domain_id = asked.domain_id AND p.first_at <= asked.since
LEFT JOIN rum_sites AS site ON site.domain_id = asked.domain_id
CROSS JOIN LATERAL (
    SELECT
        count(*) AS views,
        count(*) FILTER (WHERE num_nonnulls(v.lcp_ms, v.inp_ms, v.cls) > 0) AS core_views,
        count(*) FILTER (
            WHERE num_nonnulls(v.lcp_ms, v.inp_ms, v.cls) > 0
                AND (v.lcp_ms <= ($6::double precision[])[1]) IS NOT FALSE
                AND (v.inp_ms <= ($6::double precision[])[3]) IS NOT FALSE
                AND (v.cls <= ($6::double precision[])[5]) IS NOT FALSE
        ) AS good_views,
        count(*) FILTER (WHERE v.errors > 0) AS error_views,
        coalesce(sum(v.errors), 0)::bigint AS errors,
        count(*) FILTER (WHERE v.navigation IN (3, 4)) AS back_forwards,
        count(*) FILTER (WHERE v.navigation = 4) AS restored
    FROM rum_views AS v
    WHERE v.domain_id = asked.domain_id AND v.at >= asked.since AND v.at < asked.until
        AND (asked.device IS NULL OR v.device = asked.device)
) AS v
CROSS JOIN LATERAL (
    SELECT
        count(r.status) AS requests,
        count(*) FILTER (WHERE r.status = 0 OR r.status >= 400) AS failed_requests
    FROM rum_views AS v
    JOIN rum_resources AS r
        ON r.domain_id = asked.domain_id AND r.at = v.at AND r.load_id = v.load_id
            AND r.at >= asked.since AND r.at < asked.until
    WHERE asked.with_requests
        AND v.domain_id = asked.domain_id AND v.at >= asked.since AND v.at < asked.until
        AND (asked.device IS NULL OR v.device = asked.device)
        -- By fetch or XMLHttpRequest.
        AND r.kind IN (6, 7)
) AS q
CROSS JOIN LATERAL (
    SELECT count(*) AS new_error_groups
    FROM rum_error_groups AS g
    WHERE g.domain_id = asked.domain_id AND g.first_seen_at >= asked.since AND g.first_seen_at < asked.until
) AS g
CROSS JOIN LATERAL (
    SELECT
        coalesce(array_agg(b.metric), '{}') AS metrics,
        coalesce(array_agg(b.low), '{}') AS lows,
        coalesce(array_agg(b.high), '{}') AS highs,
        coalesce(array_agg(b.beyond), '{}') AS beyond,
        coalesce(array_agg(b.total), '{}') AS samples
    FROM (
        SELECT w.metric, w.total,
            min(w.bucket) FILTER (WHERE w.upto > floor(w.rank)) AS low,
            min(w.bucket) FILTER (WHERE w.upto > least(floor(w.rank) + 1, w.total - 1)) AS high,
            (w.rank - floor(w.rank))::double precision AS beyond
        FROM (
            SELECT c.metric, c.bucket,
                sum(c.n) OVER (PARTITION BY c.metric ORDER BY c.bucket) AS upto,
                (sum(c.n) OVER (PARTITION BY c.metric))::bigint AS total,
                -- The rank of the percentile, counted from 0.
                (sum(c.n) OVER (PARTITION BY c.metric) - 1) * $9::numeric / 100 AS rank
            FROM (
                SELECT m.metric, bucket.bucket, count(*) AS n
                FROM rum_views AS v
                CROSS JOIN LATERAL (VALUES
                    (0::smallint, v.lcp_ms),
                    (1::smallint, v.inp_ms),
                    (2::smallint, v.cls),
                    (3::smallint, v.fcp_ms),
                    (4::smallint, v.ttfb_ms)
                ) AS m (metric, value)
                CROSS JOIN LATERAL (
                    SELECT CASE WHEN m.value < $7 THEN -32768 ELSE floor(ln(m.value) / ln($8)) END::smallint AS bucket
                ) AS bucket
                WHERE v.domain_id = asked.domain_id AND v.at >= asked.since AND v.at < asked.until
                    AND (asked.device IS NULL OR v.device = asked.device)
                    AND m.value IS NOT NULL
                GROUP BY m.metric, bucket.bucket
            ) AS c
        ) AS w
        GROUP BY w.metric, w.total, w.rank
    ) AS b
) AS h
WHERE site.enabled IS NOT FALSE
