-- How many of a domain's monitored URLs were inspected, and are in the index.
SELECT count(*) AS inspected, count(*) FILTER (WHERE u.verdict = 'pass') AS indexed
FROM indexing_urls AS u
WHERE u.domain_id = $1 AND u.next_inspection_at IS NOT NULL AND u.inspected_at IS NOT NULL
