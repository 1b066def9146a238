WITH told AS (
    SELECT
        (v.at AT TIME ZONE 'UTC')::date AS day, v.device, l.kind, v.lcp_ms, l.ttfb_ms, l.load_delay_ms, l.load_duration_ms,
        l.render_delay_ms, l.has_high_priority, l.is_lazy, l.is_preloaded,
        l.ttfb_ms IS NOT NULL AND l.render_delay_ms IS NOT NULL AS has_parts
    FROM rum_chosen_views($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS v
    -- A full join is never a loop within a loop, however few views are expected.
    FULL JOIN (
        SELECT l.*
        FROM rum_lcp AS l
        WHERE l.domain_id = $1 AND l.at >= $2 AND l.at < $3
    ) AS l ON l.at = v.at AND l.load_id = v.load_id
    WHERE num_nulls(v.lcp_ms, l.load_id) = 0
), pieces AS (
    SELECT
        day, device, kind, grouping(day, device, kind) AS piece,
        count(*) AS pageviews,
        rum_figure(percentile_cont($12) WITHIN GROUP (ORDER BY lcp_ms)) AS lcp_ms,
        rum_figure(percentile_cont($12) WITHIN GROUP (ORDER BY ttfb_ms)) AS ttfb_ms,
        rum_figure(percentile_cont($12) WITHIN GROUP (ORDER BY load_delay_ms)) AS resource_load_delay_ms,
        rum_figure(percentile_cont($12) WITHIN GROUP (ORDER BY load_duration_ms)) AS resource_load_duration_ms,
        rum_figure(percentile_cont($12) WITHIN GROUP (ORDER BY render_delay_ms)) AS element_render_delay_ms,
        avg(ttfb_ms) FILTER (WHERE has_parts) AS mean_ttfb,
        avg(coalesce(load_delay_ms, 0)) FILTER (WHERE has_parts) AS mean_delay,
        avg(coalesce(load_duration_ms, 0)) FILTER (WHERE has_parts) AS mean_duration,
        avg(render_delay_ms) FILTER (WHERE has_parts) AS mean_render,
        rum_share_pct(count(*) FILTER (WHERE has_high_priority), count(has_high_priority)) AS fetch_priority_high_pct,
        rum_share_pct(count(*) FILTER (WHERE is_lazy), count(is_lazy)) AS lazy_loaded_pct,
        rum_share_pct(count(*) FILTER (WHERE is_preloaded), count(is_preloaded)) AS preload_pct
    FROM told
    GROUP BY GROUPING SETS ((day), (device), (kind), ())
), whole AS (
    SELECT *, (mean_ttfb + mean_delay + mean_duration + mean_render)::numeric AS mean_sum FROM pieces WHERE piece = 7
)
SELECT to_jsonb(w) || jsonb_build_object(
    'sample_count', w.pageviews,
    'low_sample', w.pageviews < $13,
    'mean_ttfb_ms', rum_figure(w.mean_ttfb),
    'mean_resource_load_delay_ms', rum_figure(w.mean_delay),
    'mean_resource_load_duration_ms', rum_figure(w.mean_duration),
    'mean_element_render_delay_ms', rum_figure(w.mean_render),
    'ttfb_share_pct', rum_share_pct(w.mean_ttfb::numeric, w.mean_sum),
    'resource_load_delay_share_pct', rum_share_pct(w.mean_delay::numeric, w.mean_sum),
    'resource_load_duration_share_pct', rum_share_pct(w.mean_duration::numeric, w.mean_sum),
    'element_render_delay_share_pct', rum_share_pct(w.mean_render::numeric, w.mean_sum),
    'resource_types', (
        SELECT coalesce(jsonb_agg(to_jsonb(p) || jsonb_build_object(
            'type', ($14::text[])[p.kind + 1], 'share_pct', rum_share_pct(p.pageviews, w.pageviews)
        ) ORDER BY p.pageviews DESC, p.kind), '[]')
        FROM pieces AS p WHERE p.piece = 6 AND p.kind < cardinality($14::text[])
    ),
    'by_device', (
        SELECT coalesce(jsonb_agg(to_jsonb(p) || jsonb_build_object('device', ($15::text[])[p.device + 1])
            ORDER BY p.pageviews DESC, p.device), '[]')
        FROM pieces AS p WHERE p.piece = 5 AND p.device < cardinality($15::text[])
    ),
    'items', (
        SELECT jsonb_agg(coalesce(to_jsonb(p), '{}') || jsonb_build_object('date', d.day, 'pageviews', coalesce(p.pageviews, 0))
            ORDER BY d.day)
        FROM generate_series(($2 AT TIME ZONE 'UTC')::date, ($3 AT TIME ZONE 'UTC')::date - 1, interval '1 day') AS s (day)
        CROSS JOIN LATERAL (SELECT s.day::date AS day) AS d
        LEFT JOIN pieces AS p ON p.piece = 3 AND p.day = d.day
    )
) AS report
FROM whole AS w
