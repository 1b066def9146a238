-- $6: the ends of the bands, negated, so that a position that is the end of one belongs to it.
SELECT
    p.is_current,
    (cardinality($6) - width_bucket(-p.position_sum / p.impressions, $6))::smallint AS band,
    count(*) AS queries,
    sum(p.impressions)::bigint AS impressions,
    sum(p.clicks)::bigint AS clicks
FROM (
    SELECT
        q.query_id, q.date >= $4 AS is_current, sum(q.clicks) AS clicks, sum(q.impressions) AS impressions,
        sum(q.position_sum) AS position_sum
    FROM search_queries AS q
    WHERE q.domain_id = $1 AND q.search_type = $2 AND q.date BETWEEN $3 AND $5
        AND ($7 IS NULL OR q.country = $7) AND ($8 IS NULL OR q.device = $8)
    GROUP BY q.query_id, q.date >= $4
) AS p
WHERE p.impressions > 0 AND p.position_sum > 0
GROUP BY p.is_current, band
