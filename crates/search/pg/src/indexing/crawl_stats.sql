-- When and how Google fetched the monitored URLs of a domain: those fetched within $2 and $3, with ages that count from $4.
WITH known AS MATERIALIZED (
    SELECT u.crawled_as, u.page_fetch_state, u.inspected_at, u.last_crawl_at,
        -- Null where it was never fetched: greatest() passes over nulls.
        CASE
            WHEN u.last_crawl_at IS NOT NULL
                THEN greatest(extract(epoch FROM $4 - u.last_crawl_at), 0)::double precision / 86400
        END AS age
    FROM indexing_urls AS u
    WHERE u.domain_id = $1 AND u.next_inspection_at IS NOT NULL AND u.inspected_at IS NOT NULL
)
SELECT count(*) FILTER (WHERE k.last_crawl_at >= $2 AND k.last_crawl_at < $3) AS crawled,
    percentile_cont(0.5) WITHIN GROUP (ORDER BY k.age) AS median_age_days,
    percentile_cont(0.9) WITHIN GROUP (ORDER BY k.age) AS p90_age_days,
    count(*) FILTER (WHERE k.age <= 1) AS up_to_1d,
    count(*) FILTER (WHERE k.age > 1 AND k.age <= 7) AS up_to_7d,
    count(*) FILTER (WHERE k.age > 7 AND k.age <= 30) AS up_to_30d,
    count(*) FILTER (WHERE k.age > 30 AND k.age <= 90) AS up_to_90d,
    count(*) FILTER (WHERE k.age > 90) AS older,
    count(*) FILTER (WHERE k.last_crawl_at IS NULL) AS never,
    max(k.inspected_at) AS newest,
    (
        SELECT jsonb_agg(jsonb_build_array(r.key, r.urls) ORDER BY r.urls DESC, r.key)
        FROM (SELECT o.crawled_as AS key, count(*) AS urls FROM known AS o GROUP BY o.crawled_as) AS r
    ) AS by_crawler,
    (
        SELECT jsonb_agg(jsonb_build_array(r.key, r.urls) ORDER BY r.urls DESC, r.key)
        FROM (SELECT o.page_fetch_state AS key, count(*) AS urls FROM known AS o GROUP BY o.page_fetch_state) AS r
    ) AS by_fetch_state
FROM known AS k
