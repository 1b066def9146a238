-- The followed targets of a domain: the origin ($2: 'origin'), all pages ('pages'), or one by its id or its URL ($3, $4); each
-- with its newest daily figures, one row a form factor, or one row without any.
SELECT t.id, t.url, t.label, t.status, t.origin, t.origin_source, t.url_normalized, t.fetched_at, t.first_seen_data_on, t.mobile_passing_since,
    t.desktop_passing_since, t.created_at, newest.form_factor, newest.period_end, newest.figures
FROM crux_targets AS t
LEFT JOIN LATERAL (
    SELECT f.form_factor, last.period_end, last.figures
    FROM unnest(ARRAY['all', 'mobile', 'desktop', 'tablet']) AS f (form_factor)
    CROSS JOIN LATERAL (
        SELECT g.period_end, g.figures
        FROM crux_figures AS g
        WHERE g.target_id = t.id AND g.form_factor = f.form_factor AND g.grain = 'day'
        ORDER BY g.period_end DESC
        LIMIT 1
    ) AS last
) AS newest ON true
WHERE t.domain_id = $1
    AND CASE $2
        WHEN 'origin' THEN t.url IS NULL
        WHEN 'pages' THEN t.url IS NOT NULL
        WHEN 'id' THEN t.url IS NOT NULL AND t.id = $3
        ELSE t.url = $4
    END
ORDER BY t.created_at DESC, t.id DESC
