WITH scripts AS (
    SELECT
        i.script_url, i.function, i.invoker, i.invoker_type,
        count(*) AS interactions,
        rum_figure(sum(i.longest_ms)) AS total_duration_ms,
        rum_figure(avg(i.longest_ms)) AS avg_duration_ms,
        rum_figure(sum(i.forced_layout_ms)) AS forced_style_layout_ms,
        mode() WITHIN GROUP (ORDER BY i.subpart) AS subpart,
        mode() WITHIN GROUP (ORDER BY v.page) AS page
    FROM rum_chosen_views($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS v
    -- By the primary key, however few rows are expected: OFFSET keeps the planner from another way.
    CROSS JOIN LATERAL (
        SELECT i.*
        FROM rum_inp AS i
        WHERE i.domain_id = $1 AND i.at = v.at AND i.load_id = v.load_id AND i.at >= $2 AND i.at < $3
        OFFSET 0
    ) AS i
    WHERE v.inp_ms > $15 AND i.longest_ms IS NOT NULL
    GROUP BY i.script_url, i.function, i.invoker, i.invoker_type
    ORDER BY sum(i.longest_ms) DESC, i.script_url, i.function, i.invoker, i.invoker_type
    LIMIT $14
)
SELECT to_jsonb(s) || jsonb_build_object(
    'script_url', (SELECT t.value FROM rum_texts AS t WHERE t.domain_id = $1 AND t.id = s.script_url),
    'function_name', (SELECT t.value FROM rum_texts AS t WHERE t.domain_id = $1 AND t.id = s.function),
    'invoker', (SELECT t.value FROM rum_texts AS t WHERE t.domain_id = $1 AND t.id = s.invoker),
    'invoker_type', ($16::text[])[s.invoker_type + 1],
    'subpart', ($17::text[])[s.subpart + 1],
    'page', (SELECT t.value FROM rum_texts AS t WHERE t.domain_id = $1 AND t.id = s.page)
) AS report
FROM scripts AS s
ORDER BY s.total_duration_ms DESC, s.script_url, s.function, s.invoker, s.invoker_type
