-- $6: the ends of the bands, negated, so that a position that is the end of one belongs to it.
SELECT
    p.is_current,
    (cardinality($6) - width_bucket(-p.position_sum / p.impressions, $6))::smallint AS band,
    count(*) AS queries,
    sum(p.impressions)::bigint AS impressions,
    sum(p.clicks)::bigint AS clicks
FROM (
    SELECT
        s.value_id, s.date >= $4 AS is_current, sum(s.clicks) AS clicks, sum(s.impressions) AS impressions,
        sum(s.position_sum) AS position_sum
    FROM search_sums AS s
    WHERE s.domain_id = $1 AND s.search_type = $2 AND s.kind = 1 AND s.date BETWEEN $3 AND $5
    GROUP BY s.value_id, s.date >= $4
) AS p
WHERE p.impressions > 0 AND p.position_sum > 0
GROUP BY p.is_current, band
