INSERT INTO search_pairs (
    domain_id, search_type, date, query_id, page_id, country, device, clicks, impressions, position_sum
)
SELECT
    $1, $2, $3, queries.id, pages.id, rows.country, rows.device, sum(rows.clicks), sum(rows.impressions), sum(rows.position_sum)
FROM unnest($4, $5, $6, $7, $8, $9, $10) AS rows (clicks, impressions, position_sum, query, page, country, device)
JOIN search_values AS queries ON queries.domain_id = $1 AND queries.kind = 1 AND queries.value = rows.query
JOIN search_values AS pages ON pages.domain_id = $1 AND pages.kind = 2 AND pages.value = rows.page
GROUP BY queries.id, pages.id, rows.country, rows.device
-- The rows of a query are read together, so they lie side by side.
ORDER BY queries.id, pages.id
