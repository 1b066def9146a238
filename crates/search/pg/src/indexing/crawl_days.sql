-- How many of the monitored URLs were fetched on each day of a window, by all that inspections since then told.
SELECT (r.last_crawl_at AT TIME ZONE 'UTC')::date AS day, count(DISTINCT r.url_id) AS urls
FROM indexing_results AS r
-- By the domain, too: an index has its URLs beside each other.
JOIN indexing_urls AS u ON u.id = r.url_id AND u.domain_id = r.domain_id AND u.next_inspection_at IS NOT NULL
WHERE r.domain_id = $1 AND r.inspected_at >= $2 AND r.last_crawl_at >= $2 AND r.last_crawl_at < $3
GROUP BY day
