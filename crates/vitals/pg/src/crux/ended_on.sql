-- The day's own record rather than that of the history.
SELECT DISTINCT ON (f.form_factor) f.form_factor, f.period_end, f.figures
FROM crux_figures AS f
WHERE f.target_id = $1
    AND f.form_factor IN ('all', 'mobile', 'desktop', 'tablet')
    AND f.grain IN ('day', 'week')
    AND f.period_end = $2
ORDER BY f.form_factor, f.grain
