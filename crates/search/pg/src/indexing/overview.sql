-- How the monitored URLs of a domain stand at $2; $3 is how long ago a stale inspection was made, in seconds. They are read once, by an
-- index that has all of it, and what they say is of few kinds, from which all else is added up.
WITH known AS MATERIALIZED (
    SELECT u.verdict, u.coverage_state, coalesce(u.coverage_reason, 'other') AS reason, u.page_fetch_state,
        u.robots_txt_state, u.indexing_state, u.crawled_as,
        count(*) AS monitored, count(u.inspected_at) AS inspected, min(u.inspected_at) AS oldest,
        max(u.inspected_at) AS newest,
        count(*) FILTER (WHERE u.inspected_at < $2 - $3 * interval '1 second') AS stale,
        count(u.canonical_kind) AS canonical_mismatches,
        count(*) FILTER (WHERE u.has_rich_errors) AS rich_result_errors
    FROM indexing_urls AS u
    WHERE u.domain_id = $1 AND u.next_inspection_at IS NOT NULL
    GROUP BY u.verdict, u.coverage_state, reason, u.page_fetch_state, u.robots_txt_state, u.indexing_state, u.crawled_as
)
SELECT coalesce(sum(k.monitored), 0)::bigint AS monitored, coalesce(sum(k.inspected), 0)::bigint AS inspected,
    coalesce(sum(k.monitored) FILTER (WHERE k.verdict = 'pass'), 0)::bigint AS indexed,
    coalesce(sum(k.monitored) FILTER (WHERE k.verdict = 'unknown'), 0)::bigint AS unknown,
    min(k.oldest) AS oldest, max(k.newest) AS newest, coalesce(sum(k.stale), 0)::bigint AS stale,
    coalesce(sum(k.canonical_mismatches), 0)::bigint AS canonical_mismatches,
    coalesce(sum(k.rich_result_errors), 0)::bigint AS rich_result_errors,
    (
        SELECT jsonb_agg(
            jsonb_build_array(r.reason, r.coverage_state, r.verdict, r.urls) ORDER BY r.urls DESC, r.reason
        )
        FROM (
            -- The sentence and the verdict of the one that was inspected last.
            SELECT DISTINCT ON (o.reason) o.reason, o.coverage_state, o.verdict,
                (sum(o.inspected) OVER (PARTITION BY o.reason))::bigint AS urls
            FROM known AS o
            WHERE o.inspected > 0
            ORDER BY o.reason, o.newest DESC, o.coverage_state
        ) AS r
    ) AS by_reason,
    (
        SELECT jsonb_agg(jsonb_build_array(r.key, r.urls) ORDER BY r.urls DESC, r.key)
        FROM (
            SELECT o.page_fetch_state AS key, sum(o.inspected)::bigint AS urls
            FROM known AS o
            WHERE o.inspected > 0
            GROUP BY o.page_fetch_state
        ) AS r
    ) AS by_fetch_state,
    (
        SELECT jsonb_agg(jsonb_build_array(r.key, r.urls) ORDER BY r.urls DESC, r.key)
        FROM (
            SELECT o.robots_txt_state AS key, sum(o.inspected)::bigint AS urls
            FROM known AS o
            WHERE o.inspected > 0
            GROUP BY o.robots_txt_state
        ) AS r
    ) AS by_robots_state,
    (
        SELECT jsonb_agg(jsonb_build_array(r.key, r.urls) ORDER BY r.urls DESC, r.key)
        FROM (
            SELECT o.indexing_state AS key, sum(o.inspected)::bigint AS urls
            FROM known AS o
            WHERE o.inspected > 0
            GROUP BY o.indexing_state
        ) AS r
    ) AS by_indexing_state,
    (
        SELECT jsonb_agg(jsonb_build_array(r.key, r.urls) ORDER BY r.urls DESC, r.key)
        FROM (
            SELECT o.crawled_as AS key, sum(o.inspected)::bigint AS urls
            FROM known AS o
            WHERE o.inspected > 0
            GROUP BY o.crawled_as
        ) AS r
    ) AS by_crawler
FROM known AS k
