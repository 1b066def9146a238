-- How the monitored URLs of a domain stand at the end of a day so far ($2), with ages that count from $3.
WITH known AS MATERIALIZED (
    SELECT u.verdict, coalesce(u.coverage_reason, 'other') AS reason, u.page_fetch_state, u.canonical_kind,
        u.has_rich_errors, u.last_crawl_at
    FROM indexing_urls AS u
    WHERE u.domain_id = $1 AND u.next_inspection_at IS NOT NULL AND u.inspected_at IS NOT NULL
)
INSERT INTO indexing_days (
    domain_id, day, inspected, indexed, unknown, by_reason, fetch_errors, canonical_mismatches, rich_result_errors,
    median_crawl_age_days
)
SELECT $1, $2, count(*), count(*) FILTER (WHERE k.verdict = 'pass'), count(*) FILTER (WHERE k.verdict = 'unknown'),
    (
        SELECT jsonb_object_agg(r.reason, r.urls)
        FROM (SELECT o.reason, count(*) AS urls FROM known AS o GROUP BY o.reason) AS r
    ),
    count(*) FILTER (WHERE k.page_fetch_state NOT IN ('unknown', 'successful', 'blocked_robots_txt')),
    count(*) FILTER (WHERE k.canonical_kind IS NOT NULL),
    count(*) FILTER (WHERE k.has_rich_errors),
    percentile_cont(0.5) WITHIN GROUP (
        ORDER BY greatest(extract(epoch FROM $3 - k.last_crawl_at), 0)::double precision / 86400
    ) FILTER (WHERE k.last_crawl_at IS NOT NULL)
FROM known AS k
HAVING count(*) > 0
ON CONFLICT (domain_id, day) DO UPDATE
    SET inspected = excluded.inspected, indexed = excluded.indexed, unknown = excluded.unknown,
        by_reason = excluded.by_reason, fetch_errors = excluded.fetch_errors,
        canonical_mismatches = excluded.canonical_mismatches, rich_result_errors = excluded.rich_result_errors,
        median_crawl_age_days = excluded.median_crawl_age_days
