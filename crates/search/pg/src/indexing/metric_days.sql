SELECT d.domain_id, d.day, d.inspected, d.indexed, d.unknown, d.by_reason, d.fetch_errors,
    d.canonical_mismatches, d.rich_result_errors, d.median_crawl_age_days
FROM indexing_days AS d
JOIN domains AS live ON live.id = d.domain_id AND live.deleted_at IS NULL
WHERE d.domain_id = ANY ($1) AND d.day >= $2
