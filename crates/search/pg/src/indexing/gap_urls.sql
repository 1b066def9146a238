SELECT u.url, u.verdict = 'pass' AS is_indexed, u.coverage_reason
FROM indexing_urls AS u
WHERE u.domain_id = $1 AND u.next_inspection_at IS NOT NULL
LIMIT $2
