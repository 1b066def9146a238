INSERT INTO rum_daily (
    domain_id, day, device, views, core_views, good_views, error_views, errors, back_forwards, restored,
    lcp_good, lcp_fair, lcp_poor,
    inp_good, inp_fair, inp_poor,
    cls_good, cls_fair, cls_poor,
    fcp_good, fcp_fair, fcp_poor,
    ttfb_good, ttfb_fair, ttfb_poor
)
SELECT $1, figures.*
FROM (
    SELECT
        (v.at AT TIME ZONE 'UTC')::date AS day,
        v.device,
        count(*) AS views,
        count(*) FILTER (WHERE num_nonnulls(v.lcp_ms, v.inp_ms, v.cls) > 0) AS core_views,
        count(*) FILTER (WHERE rum_is_good(v.lcp_ms, v.inp_ms, v.cls, b.bands)) AS good_views,
        count(*) FILTER (WHERE v.errors > 0) AS error_views,
        sum(v.errors)::bigint AS errors,
        -- Back or forward: loaded anew, or restored.
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
    FROM rum_views AS v CROSS JOIN (SELECT $4::double precision[] AS bands) AS b
    WHERE v.domain_id = $1 AND v.at >= $2 AND v.at < $3
    GROUP BY 1, 2
) AS figures
