INSERT INTO crux_figures (target_id, form_factor, grain, period_end, figures)
SELECT $1, l.form_factor, l.grain, l.period_end, l.figures
FROM unnest($2, $3, $4, $5) AS l (form_factor, grain, period_end, figures)
ON CONFLICT (target_id, form_factor, grain, period_end) DO UPDATE SET figures = excluded.figures
