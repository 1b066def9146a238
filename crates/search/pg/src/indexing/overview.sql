-- How the monitored URLs of a domain stand at $2; $3 is how long ago a stale inspection was made, in seconds.
WITH known AS MATERIALIZED (
    SELECT u.verdict, u.coverage_state, coalesce(u.coverage_reason, 'other') AS reason, u.page_fetch_state,
        u.robots_txt_state, u.indexing_state, u.crawled_as, u.canonical_kind, u.has_rich_errors, u.inspected_at
    FROM indexing_urls AS u
    WHERE u.domain_id = $1 AND u.next_inspection_at IS NOT NULL
)
SELECT count(*) AS monitored, count(k.inspected_at) AS inspected,
    count(*) FILTER (WHERE k.verdict = 'pass') AS indexed, count(*) FILTER (WHERE k.verdict = 'unknown') AS unknown,
    min(k.inspected_at) AS oldest, max(k.inspected_at) AS newest,
    count(*) FILTER (WHERE k.inspected_at < $2 - $3 * interval '1 second') AS stale,
    count(k.canonical_kind) AS canonical_mismatches,
    count(*) FILTER (WHERE k.has_rich_errors) AS rich_result_errors,
    (
        SELECT jsonb_agg(
            jsonb_build_array(r.reason, r.coverage_state, r.verdict, r.urls) ORDER BY r.urls DESC, r.reason
        )
        FROM (
            -- The sentence and the verdict of the one that was inspected last.
            SELECT DISTINCT ON (o.reason) o.reason, o.coverage_state, o.verdict,
                count(*) OVER (PARTITION BY o.reason) AS urls
            FROM known AS o
            WHERE o.inspected_at IS NOT NULL
            ORDER BY o.reason, o.inspected_at DESC, o.coverage_state
        ) AS r
    ) AS by_reason,
    (
        SELECT jsonb_agg(jsonb_build_array(r.key, r.urls) ORDER BY r.urls DESC, r.key)
        FROM (
            SELECT o.page_fetch_state AS key, count(*) AS urls
            FROM known AS o
            WHERE o.inspected_at IS NOT NULL
            GROUP BY o.page_fetch_state
        ) AS r
    ) AS by_fetch_state,
    (
        SELECT jsonb_agg(jsonb_build_array(r.key, r.urls) ORDER BY r.urls DESC, r.key)
        FROM (
            SELECT o.robots_txt_state AS key, count(*) AS urls
            FROM known AS o
            WHERE o.inspected_at IS NOT NULL
            GROUP BY o.robots_txt_state
        ) AS r
    ) AS by_robots_state,
    (
        SELECT jsonb_agg(jsonb_build_array(r.key, r.urls) ORDER BY r.urls DESC, r.key)
        FROM (
            SELECT o.indexing_state AS key, count(*) AS urls
            FROM known AS o
            WHERE o.inspected_at IS NOT NULL
            GROUP BY o.indexing_state
        ) AS r
    ) AS by_indexing_state,
    (
        SELECT jsonb_agg(jsonb_build_array(r.key, r.urls) ORDER BY r.urls DESC, r.key)
        FROM (
            SELECT o.crawled_as AS key, count(*) AS urls
            FROM known AS o
            WHERE o.inspected_at IS NOT NULL
            GROUP BY o.crawled_as
        ) AS r
    ) AS by_crawler
FROM known AS k
