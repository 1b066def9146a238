-- Index (domain_id, url). $2: the position, or the beginning. A list leaves out the longer parts of inspections.
SELECT u.id, u.url, u.source, u.inspected_at, u.inspection - ARRAY['referring_urls', 'rich_results', 'amp'] AS inspection,
    u.next_inspection_at, u.last_error_code
FROM indexing_urls AS u
WHERE u.domain_id = $1 AND u.url > $2
    AND ($3 IS NULL OR u.verdict = $3)
    AND ($4 IS NULL OR u.coverage_reason = $4)
    AND ($5 IS NULL OR u.page_fetch_state = $5)
    AND ($6 IS NULL OR strpos(lower(u.url), lower($6)) > 0)
ORDER BY u.url
LIMIT $7
