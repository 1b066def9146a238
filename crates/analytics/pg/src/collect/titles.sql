INSERT INTO analytics_titles (domain_id, page, title)
SELECT told.domain_id, told.page, told.title
FROM unnest($1, $2, $3) AS told (domain_id, page, title)
LEFT JOIN analytics_titles AS known ON known.domain_id = told.domain_id AND known.page = told.page
WHERE known.title IS DISTINCT FROM told.title
ORDER BY 1, 2
ON CONFLICT (domain_id, page) DO UPDATE SET title = excluded.title
