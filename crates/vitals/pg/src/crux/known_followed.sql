SELECT f.period_end, f.figures, t.url_normalized
FROM crux_targets AS t
JOIN crux_figures AS f ON f.target_id = t.id
WHERE t.domain_id = $1
    AND CASE $2 WHEN 'origin' THEN t.url IS NULL AND t.origin = $3 ELSE t.url = $3 END
    AND f.form_factor = $4 AND f.grain = 'day' AND f.period_end >= $5
ORDER BY f.period_end DESC
LIMIT 1
