WITH viewed AS MATERIALIZED (
    SELECT v.at, v.load_id, v.page, v.long_frames, v.blocking_ms
    FROM rum_chosen_views($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS v
), scripts AS (
    SELECT s.at, s.load_id, s.frame, s.url, s.invoker_type, s.duration_ms, s.forced_layout_ms, s.is_third_party
    FROM viewed AS v
    -- By the primary key, however few rows are expected: OFFSET keeps the planner from another way.
    CROSS JOIN LATERAL (
        SELECT s.*
        FROM rum_scripts AS s
        WHERE s.domain_id = $1 AND s.at = v.at AND s.load_id = v.load_id AND s.at >= $2 AND s.at < $3
        OFFSET 0
    ) AS s
    WHERE v.long_frames > 0
), frames AS (
    SELECT f.at, f.load_id, f.place, f.kind, v.page, f.duration_ms, f.blocking_ms, f.style_layout_ms
    FROM viewed AS v
    CROSS JOIN LATERAL (
        SELECT f.*
        FROM rum_frames AS f
        WHERE f.domain_id = $1 AND f.at = v.at AND f.load_id = v.load_id AND f.at >= $2 AND f.at < $3
        OFFSET 0
    ) AS f
    WHERE v.long_frames > 0
), by_frame AS (
    SELECT at, load_id, frame, sum(forced_layout_ms) AS forced_layout_ms,
        (array_agg(invoker_type ORDER BY duration_ms DESC))[1] AS invoker_type
    FROM scripts
    WHERE $15::smallint = 0
    GROUP BY at, load_id, frame
), told AS (
    SELECT f.page AS key, f.kind, f.at, f.load_id, f.duration_ms, f.blocking_ms, f.style_layout_ms, s.forced_layout_ms,
        s.invoker_type, false AS is_third_party
    FROM frames AS f
    -- A full join is never a loop within a loop, however few frames are expected.
    FULL JOIN by_frame AS s ON s.at = f.at AND s.load_id = f.load_id AND s.frame = f.place
    WHERE $15::smallint = 0 AND num_nulls(f.at) = 0
    UNION ALL
    SELECT s.url, f.kind, f.at, f.load_id, s.duration_ms, f.blocking_ms * s.duration_ms / nullif(f.duration_ms, 0),
        f.style_layout_ms, s.forced_layout_ms, s.invoker_type, s.is_third_party
    FROM frames AS f
    FULL JOIN scripts AS s ON s.at = f.at AND s.load_id = f.load_id AND s.frame = f.place
    WHERE $15::smallint = 1 AND num_nulls(f.at, s.at) = 0
), listed AS (
    SELECT
        key, kind, count(*) AS count, count(DISTINCT (at, load_id)) AS views_affected,
        sum(duration_ms) AS total, rum_figure(sum(duration_ms)) AS total_duration_ms,
        rum_figure(sum(blocking_ms)) AS total_blocking_ms,
        rum_figure(percentile_cont($12) WITHIN GROUP (ORDER BY duration_ms)) AS p75_duration_ms,
        rum_figure(avg(style_layout_ms)) AS avg_style_layout_ms,
        rum_figure(avg(forced_layout_ms)) AS avg_forced_layout_ms,
        mode() WITHIN GROUP (ORDER BY invoker_type) AS invoker_type,
        bool_and(is_third_party) AS is_third_party
    FROM told
    GROUP BY key, kind
    ORDER BY total DESC, key, kind
    LIMIT $14
)
SELECT jsonb_build_object(
    'totals', (
        SELECT jsonb_build_object(
            'avg_blocking_ms_per_view', rum_figure(avg(v.blocking_ms)),
            'views_with_any_pct', rum_share_pct(count(*) FILTER (WHERE v.long_frames > 0), count(v.long_frames)),
            'supported_views_pct', rum_share_pct(count(v.long_frames), count(*))
        )
        FROM viewed AS v
    ),
    'rows', (
        SELECT coalesce(jsonb_agg(to_jsonb(l) || jsonb_build_object(
            'key', (SELECT t.value FROM rum_texts AS t WHERE t.domain_id = $1 AND t.id = l.key),
            'entry_type', ($16::text[])[l.kind + 1],
            'top_invoker_type', ($17::text[])[l.invoker_type + 1],
            'low_sample', l.views_affected < $13
        ) ORDER BY l.total DESC, l.key, l.kind), '[]')
        FROM listed AS l
        WHERE l.kind < cardinality($16::text[])
    )
) AS report
