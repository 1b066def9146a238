-- How the URLs of a domain stood on a day, as the last day with an inspection up to it left them.
SELECT d.domain_id, d.day, d.inspected, d.indexed, d.unknown, d.by_reason, d.fetch_errors,
    d.canonical_mismatches, d.rich_result_errors, d.median_crawl_age_days
FROM indexing_days AS d
WHERE d.domain_id = $1 AND d.day <= $2
ORDER BY d.day DESC
LIMIT 1
