INSERT INTO search_sums (domain_id, search_type, kind, date, value_id, clicks, impressions, position_sum)
SELECT $1, $2, sums.kind, $3, sums.value_id, sums.clicks, sums.impressions, sums.position_sum
FROM (
    SELECT 1 AS kind, query_id AS value_id, sum(clicks) AS clicks, sum(impressions) AS impressions, sum(position_sum) AS position_sum
    FROM search_queries
    WHERE domain_id = $1 AND search_type = $2 AND date = $3
    GROUP BY query_id
    UNION ALL
    SELECT 2, page_id, sum(clicks), sum(impressions), sum(position_sum)
    FROM search_pages
    WHERE domain_id = $1 AND search_type = $2 AND date = $3
    GROUP BY page_id
) AS sums
-- As those of months are.
ORDER BY sums.kind, sums.value_id
