INSERT INTO search_queries (
    domain_id, search_type, date, query_id, country, device, clicks, impressions, position_sum
)
SELECT
    $1, $2, $3, queries.id, rows.country, rows.device, sum(rows.clicks), sum(rows.impressions), sum(rows.position_sum)
FROM unnest($4, $5, $6, $7, $8, $9) AS rows (clicks, impressions, position_sum, query, country, device)
JOIN search_values AS queries ON queries.domain_id = $1 AND queries.kind = 1 AND queries.value = rows.query
GROUP BY queries.id, rows.country, rows.device
-- The rows of a query are read together, so they lie side by side.
ORDER BY queries.id
