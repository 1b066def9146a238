SELECT d.domain_id, d.day, d.inspected, d.indexed, d.unknown, d.by_reason, d.fetch_errors,
    d.canonical_mismatches, d.rich_result_errors, d.median_crawl_age_days
FROM indexing_days AS d
WHERE d.domain_id = $1 AND d.day >= $2 AND d.day <= $3
