-- A URL that was taken out meanwhile has no place of its own any more.
SELECT w.place, w.status, w.error_code, w.url_id AS id, w.url, coalesce(u.source, 'inspector') AS source, w.inspected_at,
    w.inspection, u.next_inspection_at, u.last_error_code
FROM indexing_run_urls AS w
JOIN indexing_runs AS r ON r.run_id = w.run_id AND r.domain_id = $2
LEFT JOIN indexing_urls AS u ON u.id = w.url_id
WHERE w.run_id = $1 AND w.place > $3 AND w.status IS NOT NULL
ORDER BY w.place
LIMIT $4
