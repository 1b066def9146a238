-- Weeks are older than days are kept, so that both are looked through.
SELECT asked.number, found.period_end, found.figures
FROM unnest($1, $2, $3, $4) WITH ORDINALITY AS asked (domain_id, url, form_factor, by, number)
JOIN domains AS d ON d.id = asked.domain_id AND d.deleted_at IS NULL
JOIN crux_targets AS t ON t.domain_id = asked.domain_id AND t.url IS NOT DISTINCT FROM asked.url
CROSS JOIN LATERAL (
    SELECT last.period_end, last.figures
    FROM unnest(ARRAY['day', 'week']) AS g (grain)
    CROSS JOIN LATERAL (
        SELECT f.period_end, f.figures
        FROM crux_figures AS f
        WHERE f.target_id = t.id AND f.form_factor = asked.form_factor AND f.grain = g.grain
            AND f.period_end <= asked.by AND f.period_end >= asked.by - 14
        ORDER BY f.period_end DESC
        LIMIT 1
    ) AS last
    ORDER BY last.period_end DESC, g.grain
    LIMIT 1
) AS found
