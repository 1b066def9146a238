WITH measured AS MATERIALIZED (
    SELECT v.page, v.at, v.load_id, m.metric, m.value,
        m.value > b.bands[2 * m.metric + 1] AS affected,
        m.value > b.bands[2 * m.metric + 2] AS poor
    FROM rum_views AS v
    CROSS JOIN (SELECT $4::double precision[] AS bands) AS b
    CROSS JOIN LATERAL (VALUES (0::smallint, v.lcp_ms), (1::smallint, v.inp_ms), (2::smallint, v.cls)) AS m (metric, value)
    WHERE v.domain_id = $1 AND v.at >= $2 AND v.at < $3
        AND m.value IS NOT NULL AND ($5::smallint IS NULL OR m.metric = $5)
), pages AS (
    SELECT page, metric, count(*) AS views,
        count(*) FILTER (WHERE affected) AS affected,
        count(*) FILTER (WHERE poor) AS poor,
        sum(count(*) FILTER (WHERE affected)) OVER (PARTITION BY metric) AS all_affected,
        percentile_cont($6 / 100.0) WITHIN GROUP (ORDER BY value) AS percentile
    FROM measured
    GROUP BY page, metric
), listed AS (
    SELECT *
    FROM pages
    WHERE affected > 0
    ORDER BY affected DESC, page, metric
    LIMIT $7
), wrong AS (
    -- The views of those outside the good band. A full join is never a loop within a loop, however few are expected.
    SELECT m.page, m.metric, m.at, m.load_id
    FROM listed AS l
    FULL JOIN measured AS m ON m.page = l.page AND m.metric = l.metric
    WHERE coalesce(l.page = m.page AND m.affected, false)
), causes AS (
    -- How much of what is wrong is of which part, over these views.
    SELECT m.page, m.metric,
        ARRAY[sum(c.ttfb_ms), sum(c.load_delay_ms), sum(c.load_duration_ms), sum(c.render_delay_ms)] AS parts
    FROM wrong AS m
    -- By the primary key, however few rows are expected: OFFSET keeps the planner from another way.
    CROSS JOIN LATERAL (
        SELECT c.*
        FROM rum_lcp AS c
        WHERE c.domain_id = $1 AND c.at = m.at AND c.load_id = m.load_id AND c.at >= $2 AND c.at < $3
        OFFSET 0
    ) AS c
    WHERE m.metric = 0
    GROUP BY m.page, m.metric
    UNION ALL
    SELECT m.page, m.metric,
        ARRAY[sum(c.input_delay_ms), sum(c.processing_ms), sum(c.presentation_ms)]
    FROM wrong AS m
    CROSS JOIN LATERAL (
        SELECT c.*
        FROM rum_inp AS c
        WHERE c.domain_id = $1 AND c.at = m.at AND c.load_id = m.load_id AND c.at >= $2 AND c.at < $3
        OFFSET 0
    ) AS c
    WHERE m.metric = 1
    GROUP BY m.page, m.metric
    UNION ALL
    SELECT m.page, m.metric, ARRAY[
            sum(c.shift) FILTER (WHERE t.value !~ $8),
            sum(c.shift) FILTER (WHERE t.value ~ $8)
        ]
    FROM wrong AS m
    CROSS JOIN LATERAL (
        SELECT c.*
        FROM rum_cls AS c
        WHERE c.domain_id = $1 AND c.at = m.at AND c.load_id = m.load_id AND c.at >= $2 AND c.at < $3
        OFFSET 0
    ) AS c
    CROSS JOIN LATERAL (SELECT t.value FROM rum_texts AS t WHERE t.domain_id = $1 AND t.id = c.element OFFSET 0) AS t
    WHERE m.metric = 2
    GROUP BY m.page, m.metric
)
SELECT t.value AS url, l.metric, l.views, l.affected, l.poor, l.all_affected::bigint AS all_affected, l.percentile, l.parts
FROM (
    SELECT l.*, c.parts
    FROM listed AS l
    FULL JOIN causes AS c ON c.page = l.page AND c.metric = l.metric
    OFFSET 0
) AS l
CROSS JOIN LATERAL (SELECT t.value FROM rum_texts AS t WHERE t.domain_id = $1 AND t.id = l.page OFFSET 0) AS t
ORDER BY l.affected DESC, t.value, l.metric
