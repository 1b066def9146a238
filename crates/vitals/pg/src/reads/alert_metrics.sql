-- A window that begins before anything was received is no window of few views. Percentiles are those of counts of values, as
-- histograms.sql has them; of all metrics the values are counted by band, too.
SELECT
    asked.number, v.views, v.core_views, v.good_views, v.error_views, v.errors, v.back_forwards, v.restored,
    v.rated, q.requests, q.failed_requests, h.metrics, h.lows, h.highs, h.beyond, h.samples
FROM unnest($1, $2, $3, $4, $5) WITH ORDINALITY AS asked (domain_id, since, until, device, with_requests, number)
JOIN domains AS d ON d.id = asked.domain_id AND d.deleted_at IS NULL
JOIN rum_progress AS p ON p.domain_id = asked.domain_id AND p.first_at <= asked.since
LEFT JOIN rum_sites AS site ON site.domain_id = asked.domain_id
CROSS JOIN LATERAL (
    SELECT
        date_trunc('day', asked.since + interval '1 day' - interval '1 microsecond', 'UTC') AS since,
        least(date_trunc('day', asked.until, 'UTC'), coalesce(p.rolled_until, asked.since)) AS until
) AS whole
CROSS JOIN LATERAL (
    -- The days of the window that are rolled up. The views before and after them are looked at; where there are none, all.
    SELECT
        CASE WHEN whole.since < whole.until THEN whole.since ELSE asked.until END AS since,
        CASE WHEN whole.since < whole.until THEN whole.until ELSE asked.until END AS until
) AS rolled
CROSS JOIN LATERAL (
    SELECT
        coalesce(sum(f.views), 0)::bigint AS views,
        coalesce(sum(f.core_views), 0)::bigint AS core_views,
        coalesce(sum(f.good_views), 0)::bigint AS good_views,
        coalesce(sum(f.error_views), 0)::bigint AS error_views,
        coalesce(sum(f.errors), 0)::bigint AS errors,
        coalesce(sum(f.back_forwards), 0)::bigint AS back_forwards,
        coalesce(sum(f.restored), 0)::bigint AS restored,
        ARRAY[
            coalesce(sum(f.lcp_good), 0), coalesce(sum(f.lcp_fair), 0), coalesce(sum(f.lcp_poor), 0),
            coalesce(sum(f.inp_good), 0), coalesce(sum(f.inp_fair), 0), coalesce(sum(f.inp_poor), 0),
            coalesce(sum(f.cls_good), 0), coalesce(sum(f.cls_fair), 0), coalesce(sum(f.cls_poor), 0),
            coalesce(sum(f.fcp_good), 0), coalesce(sum(f.fcp_fair), 0), coalesce(sum(f.fcp_poor), 0),
            coalesce(sum(f.ttfb_good), 0), coalesce(sum(f.ttfb_fair), 0), coalesce(sum(f.ttfb_poor), 0)
        ]::bigint[] AS rated
    FROM (
        SELECT
            count(*) AS views,
            count(*) FILTER (WHERE num_nonnulls(v.lcp_ms, v.inp_ms, v.cls) > 0) AS core_views,
            count(*) FILTER (WHERE rum_is_good(v.lcp_ms, v.inp_ms, v.cls, b.bands)) AS good_views,
            count(*) FILTER (WHERE v.errors > 0) AS error_views,
            sum(v.errors)::bigint AS errors,
            count(*) FILTER (WHERE v.navigation IN (3, 4)) AS back_forwards,
            count(*) FILTER (WHERE v.navigation = 4) AS restored,
            count(*) FILTER (WHERE v.lcp_ms <= b.bands[1]) AS lcp_good,
            count(*) FILTER (WHERE v.lcp_ms > b.bands[1] AND v.lcp_ms <= b.bands[2]) AS lcp_fair,
            count(*) FILTER (WHERE v.lcp_ms > b.bands[2]) AS lcp_poor,
            count(*) FILTER (WHERE v.inp_ms <= b.bands[3]) AS inp_good,
            count(*) FILTER (WHERE v.inp_ms > b.bands[3] AND v.inp_ms <= b.bands[4]) AS inp_fair,
            count(*) FILTER (WHERE v.inp_ms > b.bands[4]) AS inp_poor,
            count(*) FILTER (WHERE v.cls <= b.bands[5]) AS cls_good,
            count(*) FILTER (WHERE v.cls > b.bands[5] AND v.cls <= b.bands[6]) AS cls_fair,
            count(*) FILTER (WHERE v.cls > b.bands[6]) AS cls_poor,
            count(*) FILTER (WHERE v.fcp_ms <= b.bands[7]) AS fcp_good,
            count(*) FILTER (WHERE v.fcp_ms > b.bands[7] AND v.fcp_ms <= b.bands[8]) AS fcp_fair,
            count(*) FILTER (WHERE v.fcp_ms > b.bands[8]) AS fcp_poor,
            count(*) FILTER (WHERE v.ttfb_ms <= b.bands[9]) AS ttfb_good,
            count(*) FILTER (WHERE v.ttfb_ms > b.bands[9] AND v.ttfb_ms <= b.bands[10]) AS ttfb_fair,
            count(*) FILTER (WHERE v.ttfb_ms > b.bands[10]) AS ttfb_poor
        FROM (VALUES (asked.since, rolled.since), (rolled.until, asked.until)) AS beside (since, until)
        JOIN rum_views AS v ON v.domain_id = asked.domain_id AND v.at >= beside.since AND v.at < beside.until
        CROSS JOIN (SELECT $6::double precision[] AS bands) AS b
        WHERE asked.device IS NULL OR v.device = asked.device
        UNION ALL
        SELECT d.views, d.core_views, d.good_views, d.error_views, d.errors, d.back_forwards, d.restored,
            d.lcp_good, d.lcp_fair, d.lcp_poor,
            d.inp_good, d.inp_fair, d.inp_poor,
            d.cls_good, d.cls_fair, d.cls_poor,
            d.fcp_good, d.fcp_fair, d.fcp_poor,
            d.ttfb_good, d.ttfb_fair, d.ttfb_poor
        FROM rum_daily AS d
        WHERE d.domain_id = asked.domain_id
            AND d.day >= (rolled.since AT TIME ZONE 'UTC')::date AND d.day < (rolled.until AT TIME ZONE 'UTC')::date
            AND (asked.device IS NULL OR d.device = asked.device)
    ) AS f
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
                SELECT f.metric, f.bucket, sum(f.n) AS n
                FROM (
                    SELECT m.metric, bucket.bucket, count(*) AS n
                    FROM (VALUES (asked.since, rolled.since), (rolled.until, asked.until)) AS beside (since, until)
                    JOIN rum_views AS v
                        ON v.domain_id = asked.domain_id AND v.at >= beside.since AND v.at < beside.until
                    CROSS JOIN LATERAL (VALUES
                        (0::smallint, v.lcp_ms),
                        (1::smallint, v.inp_ms),
                        (2::smallint, v.cls),
                        (3::smallint, v.fcp_ms),
                        (4::smallint, v.ttfb_ms)
                    ) AS m (metric, value)
                    CROSS JOIN LATERAL (
                        SELECT rum_bucket(m.value, $7, $8) AS bucket
                    ) AS bucket
                    WHERE (asked.device IS NULL OR v.device = asked.device) AND m.value IS NOT NULL
                    GROUP BY m.metric, bucket.bucket
                    UNION ALL
                    SELECT h.metric, h.bucket, h.n
                    FROM rum_hist AS h
                    WHERE h.domain_id = asked.domain_id AND h.metric = ANY ('{0,1,2,3,4}')
                        AND h.day >= (rolled.since AT TIME ZONE 'UTC')::date
                        AND h.day < (rolled.until AT TIME ZONE 'UTC')::date
                        AND (asked.device IS NULL OR h.device = asked.device)
                ) AS f
                GROUP BY f.metric, f.bucket
            ) AS c
        ) AS w
        GROUP BY w.metric, w.total, w.rank
    ) AS b
) AS h
WHERE site.enabled IS NOT FALSE
