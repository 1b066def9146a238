WITH cut AS (
    -- Before it roll-ups are read, from there on views.
    SELECT CASE WHEN $12::boolean THEN greatest($2, least($3, coalesce(max(p.rolled_until), $2))) ELSE $2 END AS at
    FROM rum_progress AS p
    WHERE p.domain_id = $1
), pieces AS (
    SELECT date_trunc($13, v.at, 'UTC') AS start,
        count(*) AS views,
        count(*) FILTER (WHERE num_nonnulls(v.lcp_ms, v.inp_ms, v.cls) > 0) AS core_views,
        count(*) FILTER (WHERE rum_is_good(v.lcp_ms, v.inp_ms, v.cls, b.bands)) AS good_views,
        count(*) FILTER (WHERE v.errors > 0) AS error_views,
        sum(v.errors)::bigint AS errors,
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
        count(*) FILTER (WHERE v.ttfb_ms > b.bands[10]) AS ttfb_poor,
        count(v.blocking_ms) AS blocking
    FROM rum_chosen_views($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS v CROSS JOIN (SELECT $14::double precision[] AS bands) AS b
    WHERE v.at >= (SELECT cut.at FROM cut)
    GROUP BY 1
    UNION ALL
    SELECT date_trunc($13, d.day::timestamp AT TIME ZONE 'UTC', 'UTC'),
        d.views, d.core_views, d.good_views, d.error_views, d.errors,
        d.lcp_good, d.lcp_fair, d.lcp_poor,
        d.inp_good, d.inp_fair, d.inp_poor,
        d.cls_good, d.cls_fair, d.cls_poor,
        d.fcp_good, d.fcp_fair, d.fcp_poor,
        d.ttfb_good, d.ttfb_fair, d.ttfb_poor,
        -- Roll-ups do not have it, and are not read where it is asked for.
        0
    FROM rum_daily AS d
    WHERE d.domain_id = $1 AND d.day >= ($2 AT TIME ZONE 'UTC')::date
        AND d.day < ((SELECT cut.at FROM cut) AT TIME ZONE 'UTC')::date
        AND ($4::smallint IS NULL OR d.device = $4)
)
SELECT start, ARRAY[
        sum(views), sum(core_views), sum(good_views), sum(error_views), sum(errors),
        sum(lcp_good), sum(lcp_fair), sum(lcp_poor),
        sum(inp_good), sum(inp_fair), sum(inp_poor),
        sum(cls_good), sum(cls_fair), sum(cls_poor),
        sum(fcp_good), sum(fcp_fair), sum(fcp_poor),
        sum(ttfb_good), sum(ttfb_fair), sum(ttfb_poor),
        sum(blocking)
    ]::bigint[] AS counts
FROM pieces
GROUP BY start
