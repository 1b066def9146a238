-- The past states of some URLs, the newest first, at most $2 each.
SELECT wanted.url_id, r.inspected_at, r.verdict, r.coverage_reason, r.page_fetch_state, r.last_crawl_at
FROM unnest($1) AS wanted (url_id)
CROSS JOIN LATERAL (
    SELECT p.inspected_at, p.verdict, p.coverage_reason, p.page_fetch_state, p.last_crawl_at
    FROM indexing_results AS p
    WHERE p.url_id = wanted.url_id
    ORDER BY p.inspected_at DESC
    LIMIT $2
) AS r
ORDER BY wanted.url_id, r.inspected_at DESC
