WITH chosen AS MATERIALIZED (
    SELECT v.at, v.load_id, v.inp_ms FROM rum_chosen_views($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS v
), told AS (
    SELECT
        (v.at AT TIME ZONE 'UTC')::date AS day, i.interaction, i.load_state, v.inp_ms, i.input_delay_ms, i.processing_ms,
        i.presentation_ms, i.script_ms, i.style_layout_ms, i.paint_ms, i.unattributed_ms,
        num_nulls(i.input_delay_ms, i.processing_ms, i.presentation_ms) = 0 AS has_phases
    FROM chosen AS v
    -- By the primary key, however few rows are expected: OFFSET keeps the planner from another way.
    CROSS JOIN LATERAL (
        SELECT i.*
        FROM rum_inp AS i
        WHERE i.domain_id = $1 AND i.at = v.at AND i.load_id = v.load_id AND i.at >= $2 AND i.at < $3
        OFFSET 0
    ) AS i
    WHERE v.inp_ms IS NOT NULL
), pieces AS (
    SELECT
        day, interaction, load_state, grouping(day, interaction, load_state) AS piece,
        count(*) AS interactions,
        rum_figure(percentile_cont($12) WITHIN GROUP (ORDER BY inp_ms)) AS inp_ms,
        rum_figure(percentile_cont($12) WITHIN GROUP (ORDER BY input_delay_ms)) AS input_delay_ms,
        rum_figure(percentile_cont($12) WITHIN GROUP (ORDER BY processing_ms)) AS processing_duration_ms,
        rum_figure(percentile_cont($12) WITHIN GROUP (ORDER BY presentation_ms)) AS presentation_delay_ms,
        rum_figure(percentile_cont($12) WITHIN GROUP (ORDER BY script_ms)) AS script_duration_ms,
        rum_figure(percentile_cont($12) WITHIN GROUP (ORDER BY style_layout_ms)) AS style_layout_duration_ms,
        rum_figure(percentile_cont($12) WITHIN GROUP (ORDER BY paint_ms)) AS paint_duration_ms,
        rum_figure(percentile_cont($12) WITHIN GROUP (ORDER BY unattributed_ms)) AS unattributed_duration_ms,
        avg(input_delay_ms) FILTER (WHERE has_phases) AS mean_delay,
        avg(processing_ms) FILTER (WHERE has_phases) AS mean_processing,
        avg(presentation_ms) FILTER (WHERE has_phases) AS mean_presentation
    FROM told
    GROUP BY GROUPING SETS ((day), (interaction), (load_state), ())
), whole AS (
    SELECT *, (mean_delay + mean_processing + mean_presentation)::numeric AS mean_sum FROM pieces WHERE piece = 7
)
SELECT to_jsonb(w) || jsonb_build_object(
    'sample_count', w.interactions,
    'low_sample', w.interactions < $13,
    'input_delay_share_pct', rum_share_pct(w.mean_delay::numeric, w.mean_sum),
    'processing_duration_share_pct', rum_share_pct(w.mean_processing::numeric, w.mean_sum),
    'presentation_delay_share_pct', rum_share_pct(w.mean_presentation::numeric, w.mean_sum),
    'interacted_views_pct', (SELECT rum_share_pct(count(c.inp_ms), count(*)) FROM chosen AS c),
    'by_interaction_type', (
        SELECT coalesce(jsonb_agg(to_jsonb(p) || jsonb_build_object(
            'interaction_type', ($14::text[])[p.interaction + 1],
            'share_pct', rum_share_pct(p.interactions, w.interactions)
        ) ORDER BY p.interactions DESC, p.interaction), '[]')
        FROM pieces AS p WHERE p.piece = 5 AND p.interaction < cardinality($14::text[])
    ),
    'by_load_state', (
        SELECT coalesce(jsonb_agg(to_jsonb(p) || jsonb_build_object('load_state', ($15::text[])[p.load_state + 1])
            ORDER BY p.interactions DESC, p.load_state), '[]')
        FROM pieces AS p WHERE p.piece = 6 AND p.load_state < cardinality($15::text[])
    ),
    'items', (
        SELECT jsonb_agg(coalesce(to_jsonb(p), '{}') || jsonb_build_object('date', d.day, 'interactions', coalesce(p.interactions, 0))
            ORDER BY d.day)
        FROM generate_series(($2 AT TIME ZONE 'UTC')::date, ($3 AT TIME ZONE 'UTC')::date - 1, interval '1 day') AS s (day)
        CROSS JOIN LATERAL (SELECT s.day::date AS day) AS d
        LEFT JOIN pieces AS p ON p.piece = 3 AND p.day = d.day
    )
) AS report
FROM whole AS w
