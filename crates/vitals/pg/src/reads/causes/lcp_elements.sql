WITH told AS (
    SELECT v.page, v.lcp_ms, l.element, l.element_id, l.element_class, l.resource, l.kind, l.ttfb_ms, l.load_delay_ms,
        l.load_duration_ms, l.render_delay_ms, l.bytes
    FROM rum_chosen_views($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS v
    -- A full join is never a loop within a loop, however few views are expected.
    FULL JOIN (
        SELECT l.*
        FROM rum_lcp AS l
        WHERE l.domain_id = $1 AND l.at >= $2 AND l.at < $3
    ) AS l ON l.at = v.at AND l.load_id = v.load_id
    WHERE num_nulls(v.lcp_ms, l.load_id) = 0
), elements AS (
    SELECT
        element, resource, kind, count(*) AS pageviews,
        mode() WITHIN GROUP (ORDER BY element_id) AS id,
        mode() WITHIN GROUP (ORDER BY element_class) AS class,
        rum_figure(percentile_cont($12) WITHIN GROUP (ORDER BY lcp_ms)) AS lcp_ms,
        rum_figure(percentile_cont($12) WITHIN GROUP (ORDER BY ttfb_ms)) AS ttfb_ms,
        rum_figure(percentile_cont($12) WITHIN GROUP (ORDER BY load_delay_ms)) AS resource_load_delay_ms,
        rum_figure(percentile_cont($12) WITHIN GROUP (ORDER BY load_duration_ms)) AS resource_load_duration_ms,
        rum_figure(percentile_cont($12) WITHIN GROUP (ORDER BY render_delay_ms)) AS element_render_delay_ms,
        rum_figure(avg(bytes)::double precision) AS avg_bytes,
        count(DISTINCT page) AS pages_count,
        mode() WITHIN GROUP (ORDER BY page) AS page,
        sum(count(*)) OVER () AS pageviews_in_all
    FROM told
    GROUP BY element, resource, kind
    ORDER BY pageviews DESC, element, resource, kind
    LIMIT $14
)
SELECT to_jsonb(e) || jsonb_build_object(
    'element', (SELECT t.value FROM rum_texts AS t WHERE t.domain_id = $1 AND t.id = e.element),
    'element_id', (SELECT t.value FROM rum_texts AS t WHERE t.domain_id = $1 AND t.id = e.id),
    'element_class', (SELECT t.value FROM rum_texts AS t WHERE t.domain_id = $1 AND t.id = e.class),
    'resource_url', (SELECT t.value FROM rum_texts AS t WHERE t.domain_id = $1 AND t.id = e.resource),
    'resource_type', ($15::text[])[e.kind + 1],
    'share_pct', rum_share_pct(e.pageviews, e.pageviews_in_all),
    'low_sample', e.pageviews < $13,
    'sample_url', (SELECT t.value FROM rum_texts AS t WHERE t.domain_id = $1 AND t.id = e.page)
) AS report
FROM elements AS e
WHERE e.kind < cardinality($15::text[])
ORDER BY e.pageviews DESC, e.element, e.resource, e.kind
