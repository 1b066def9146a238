WITH cut AS (
    -- Before it roll-ups are read, from there on views.
    SELECT CASE WHEN $12::boolean THEN greatest($2, least($3, coalesce(max(p.rolled_until), $2))) ELSE $2 END AS at
    FROM rum_progress AS p
    WHERE p.domain_id = $1
), bands AS (
    SELECT $13::double precision[] AS bands
), days AS (
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
    FROM rum_chosen_views($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS v CROSS JOIN bands AS b
    WHERE v.at >= (SELECT cut.at FROM cut)
    GROUP BY 1, 2
    UNION ALL
    SELECT d.day, d.device, d.views, d.core_views, d.good_views, d.error_views, d.errors, d.back_forwards, d.restored,
        d.lcp_good, d.lcp_fair, d.lcp_poor,
        d.inp_good, d.inp_fair, d.inp_poor,
        d.cls_good, d.cls_fair, d.cls_poor,
        d.fcp_good, d.fcp_fair, d.fcp_poor,
        d.ttfb_good, d.ttfb_fair, d.ttfb_poor
    FROM rum_daily AS d
    WHERE d.domain_id = $1 AND d.day >= ($2 AT TIME ZONE 'UTC')::date
        AND d.day < ((SELECT cut.at FROM cut) AT TIME ZONE 'UTC')::date
        AND ($4::smallint IS NULL OR d.device = $4)
)
SELECT day, device,
    coalesce(sum(views), 0)::bigint AS views,
    coalesce(sum(core_views), 0)::bigint AS core_views,
    coalesce(sum(good_views), 0)::bigint AS good_views,
    coalesce(sum(error_views), 0)::bigint AS error_views,
    coalesce(sum(errors), 0)::bigint AS errors,
    coalesce(sum(back_forwards), 0)::bigint AS back_forwards,
    coalesce(sum(restored), 0)::bigint AS restored,
    coalesce(sum(lcp_good), 0)::bigint AS lcp_good,
    coalesce(sum(lcp_fair), 0)::bigint AS lcp_fair,
    coalesce(sum(lcp_poor), 0)::bigint AS lcp_poor,
    coalesce(sum(inp_good), 0)::bigint AS inp_good,
    coalesce(sum(inp_fair), 0)::bigint AS inp_fair,
    coalesce(sum(inp_poor), 0)::bigint AS inp_poor,
    coalesce(sum(cls_good), 0)::bigint AS cls_good,
    coalesce(sum(cls_fair), 0)::bigint AS cls_fair,
    coalesce(sum(cls_poor), 0)::bigint AS cls_poor,
    coalesce(sum(fcp_good), 0)::bigint AS fcp_good,
    coalesce(sum(fcp_fair), 0)::bigint AS fcp_fair,
    coalesce(sum(fcp_poor), 0)::bigint AS fcp_poor,
    coalesce(sum(ttfb_good), 0)::bigint AS ttfb_good,
    coalesce(sum(ttfb_fair), 0)::bigint AS ttfb_fair,
    coalesce(sum(ttfb_poor), 0)::bigint AS ttfb_poor
FROM days
GROUP BY GROUPING SETS ((day), (device), ())
