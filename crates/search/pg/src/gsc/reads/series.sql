-- By day. $5: a query, $6: a page, $7: a country, $8: a device; each null where it is not asked for. One of the branches is
-- executed.
SELECT
    f.date, sum(f.clicks)::bigint AS clicks, sum(f.impressions)::bigint AS impressions, sum(f.position_sum) AS position_sum
FROM (
    SELECT p.date, p.clicks, p.impressions, p.position_sum
    FROM search_places AS p
    WHERE $5::bigint IS NULL AND $6::bigint IS NULL
        AND p.domain_id = $1 AND p.search_type = $2 AND p.date >= $3 AND p.date <= $4
        AND ($7::text IS NULL OR p.country = $7) AND ($8::smallint IS NULL OR p.device = $8)
    UNION ALL
    SELECT s.date, s.clicks, s.impressions, s.position_sum
    FROM search_sums AS s
    WHERE num_nonnulls($5::bigint, $6::bigint) = 1 AND $7::text IS NULL AND $8::smallint IS NULL
        AND s.domain_id = $1 AND s.search_type = $2 AND s.date >= $3 AND s.date <= $4
        AND s.kind = CASE WHEN $6::bigint IS NULL THEN 1 ELSE 2 END AND s.value_id = coalesce($5::bigint, $6::bigint)
    UNION ALL
    SELECT q.date, q.clicks, q.impressions, q.position_sum
    FROM search_queries AS q
    WHERE $5::bigint IS NOT NULL AND $6::bigint IS NULL AND num_nonnulls($7::text, $8::smallint) > 0
        AND q.domain_id = $1 AND q.search_type = $2 AND q.query_id = $5 AND q.date >= $3 AND q.date <= $4
        AND ($7::text IS NULL OR q.country = $7) AND ($8::smallint IS NULL OR q.device = $8)
    UNION ALL
    SELECT p.date, p.clicks, p.impressions, p.position_sum
    FROM search_pages AS p
    WHERE $5::bigint IS NULL AND $6::bigint IS NOT NULL AND num_nonnulls($7::text, $8::smallint) > 0
        AND p.domain_id = $1 AND p.search_type = $2 AND p.page_id = $6 AND p.date >= $3 AND p.date <= $4
        AND ($7::text IS NULL OR p.country = $7) AND ($8::smallint IS NULL OR p.device = $8)
    UNION ALL
    SELECT p.date, p.clicks, p.impressions, p.position_sum
    FROM search_pairs AS p
    WHERE num_nonnulls($5::bigint, $6::bigint) = 2
        AND p.domain_id = $1 AND p.search_type = $2 AND p.query_id = $5 AND p.page_id = $6 AND p.date >= $3 AND p.date <= $4
        AND ($7::text IS NULL OR p.country = $7) AND ($8::smallint IS NULL OR p.device = $8)
) AS f
GROUP BY f.date
