SELECT p.period_end, p.figures
FROM (
    SELECT f.period_end, f.figures
    FROM crux_figures AS f
    WHERE f.target_id = $1 AND f.form_factor = $2 AND f.grain = $3
    ORDER BY f.period_end DESC
    LIMIT $4
) AS p
ORDER BY p.period_end
