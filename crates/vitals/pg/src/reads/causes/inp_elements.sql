WITH told AS (
    SELECT v.page, v.inp_ms, i.element, i.element_id, i.element_class, i.interaction, i.load_state, i.input_delay_ms,
        i.processing_ms, i.presentation_ms
    FROM rum_chosen_views($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS v
    -- A full join is never a loop within a loop, however few views are expected.
    FULL JOIN (
        SELECT i.*
        FROM rum_inp AS i
        WHERE i.domain_id = $1 AND i.at >= $2 AND i.at < $3
    ) AS i ON i.at = v.at AND i.load_id = v.load_id
    WHERE num_nulls(v.inp_ms, i.load_id) = 0
), elements AS (
    SELECT
        element, interaction, count(*) AS interactions,
        count(*) FILTER (WHERE inp_ms > $15) AS slow_interactions,
        count(*) FILTER (WHERE inp_ms > $16) AS poor_interactions,
        mode() WITHIN GROUP (ORDER BY element_id) AS id,
        mode() WITHIN GROUP (ORDER BY element_class) AS class,
        rum_figure(percentile_cont($12) WITHIN GROUP (ORDER BY inp_ms)) AS inp_ms,
        rum_figure(percentile_cont($12) WITHIN GROUP (ORDER BY input_delay_ms)) AS input_delay_ms,
        rum_figure(percentile_cont($12) WITHIN GROUP (ORDER BY processing_ms)) AS processing_duration_ms,
        rum_figure(percentile_cont($12) WITHIN GROUP (ORDER BY presentation_ms)) AS presentation_delay_ms,
        mode() WITHIN GROUP (ORDER BY load_state) AS load_state,
        count(DISTINCT page) AS pages_count,
        mode() WITHIN GROUP (ORDER BY page) AS page
    FROM told
    GROUP BY element, interaction
    ORDER BY slow_interactions DESC, interactions DESC, element, interaction
    LIMIT $14
)
SELECT to_jsonb(e) || jsonb_build_object(
    'element', (SELECT t.value FROM rum_texts AS t WHERE t.domain_id = $1 AND t.id = e.element),
    'element_id', (SELECT t.value FROM rum_texts AS t WHERE t.domain_id = $1 AND t.id = e.id),
    'element_class', (SELECT t.value FROM rum_texts AS t WHERE t.domain_id = $1 AND t.id = e.class),
    'interaction_type', ($17::text[])[e.interaction + 1],
    'load_state_top', ($18::text[])[e.load_state + 1],
    'low_sample', e.interactions < $13,
    'sample_url', (SELECT t.value FROM rum_texts AS t WHERE t.domain_id = $1 AND t.id = e.page)
) AS report
FROM elements AS e
ORDER BY e.slow_interactions DESC, e.interactions DESC, e.element, e.interaction
