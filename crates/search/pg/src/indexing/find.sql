SELECT u.id, u.url, u.source, u.inspected_at, u.inspection, u.next_inspection_at, u.last_error_code
FROM indexing_urls AS u
WHERE u.id = $2 AND u.domain_id = $1
