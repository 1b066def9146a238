WITH chosen AS MATERIALIZED (
    SELECT v.at, v.load_id, v.page, v.device, v.cls
    FROM rum_chosen_views($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS v
    WHERE v.cls IS NOT NULL
), told AS (
    SELECT v.page, v.device, c.element, c.element_id, c.element_class, c.shift, c.shift_at_ms, c.load_state
    FROM chosen AS v
    -- A full join is never a loop within a loop, however few views are expected.
    FULL JOIN (
        SELECT c.*
        FROM rum_cls AS c
        WHERE c.domain_id = $1 AND c.at >= $2 AND c.at < $3
    ) AS c ON c.at = v.at AND c.load_id = v.load_id
    WHERE num_nulls(v.load_id, c.load_id) = 0
), elements AS (
    SELECT
        element, count(*) AS pageviews,
        mode() WITHIN GROUP (ORDER BY element_id) AS id,
        mode() WITHIN GROUP (ORDER BY element_class) AS class,
        sum(shift) AS shift_sum,
        round(avg(shift)::numeric, 4) AS shift_avg,
        rum_figure(avg(shift_at_ms)) AS avg_shift_time_ms,
        mode() WITHIN GROUP (ORDER BY load_state) AS load_state,
        -- 0: computers, 1: phones, 2: tablets.
        count(*) FILTER (WHERE device = 1) AS mobiles,
        count(*) FILTER (WHERE device = 0) AS desktops,
        count(*) FILTER (WHERE device = 2) AS tablets,
        count(*) FILTER (WHERE device > 2) AS others,
        array_agg(DISTINCT page) AS pages,
        mode() WITHIN GROUP (ORDER BY page) AS page
    FROM told
    GROUP BY element
    ORDER BY shift_sum DESC, element
    LIMIT $14
), by_page AS (
    -- Pages that have the same elements share one percentile, worked out once.
    SELECT s.pages, round(percentile_cont($12) WITHIN GROUP (ORDER BY v.cls)::numeric, 4) AS p75
    FROM (
        SELECT d.pages, p.page
        FROM (SELECT DISTINCT pages FROM elements) AS d
        CROSS JOIN LATERAL unnest(d.pages) AS p (page)
    ) AS s
    FULL JOIN chosen AS v ON v.page = s.page
    WHERE coalesce(v.page = s.page, false)
    GROUP BY s.pages
)
SELECT to_jsonb(e) - 'pages' || jsonb_build_object(
    'element', (SELECT t.value FROM rum_texts AS t WHERE t.domain_id = $1 AND t.id = e.element),
    'element_id', (SELECT t.value FROM rum_texts AS t WHERE t.domain_id = $1 AND t.id = e.id),
    'element_class', (SELECT t.value FROM rum_texts AS t WHERE t.domain_id = $1 AND t.id = e.class),
    'low_sample', e.pageviews < $13,
    'shift_sum', round(e.shift_sum::numeric, 4),
    'cls_p75_pages', p.p75,
    'load_state', ($15::text[])[e.load_state + 1],
    'devices', jsonb_build_object(
        'mobile_pct', rum_share_pct(e.mobiles, e.pageviews),
        'desktop_pct', rum_share_pct(e.desktops, e.pageviews),
        'tablet_pct', rum_share_pct(e.tablets, e.pageviews),
        'other_pct', rum_share_pct(e.others, e.pageviews)
    ),
    'pages_count', cardinality(e.pages),
    'sample_url', (SELECT t.value FROM rum_texts AS t WHERE t.domain_id = $1 AND t.id = e.page)
) AS report
FROM elements AS e
FULL JOIN by_page AS p USING (pages)
ORDER BY e.shift_sum DESC, e.element
