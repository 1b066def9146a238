INSERT INTO search_sums (domain_id, search_type, kind, date, value_id, clicks, impressions, position_sum)
SELECT $1, $2, 1, $3, query_id, sum(clicks), sum(impressions), sum(position_sum)
FROM search_queries
WHERE domain_id = $1 AND search_type = $2 AND date = $3
GROUP BY query_id
UNION ALL
SELECT $1, $2, 2, $3, page_id, sum(clicks), sum(impressions), sum(position_sum)
FROM search_pages
WHERE domain_id = $1 AND search_type = $2 AND date = $3
GROUP BY page_id
