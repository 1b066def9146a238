INSERT INTO indexing_run_urls (run_id, place, url, url_id, status)
SELECT $2, w.place - 1, w.url, u.id, CASE WHEN NOT w.is_first THEN 'skipped_duplicate' END
FROM unnest($3, $4) WITH ORDINALITY AS w (url, is_first, place)
JOIN indexing_urls AS u ON u.domain_id = $1 AND u.url = w.url
