INSERT INTO search_pages (
    domain_id, search_type, date, page_id, country, device, clicks, impressions, position_sum
)
SELECT
    $1, $2, $3, pages.id, rows.country, rows.device, sum(rows.clicks), sum(rows.impressions), sum(rows.position_sum)
FROM unnest($4, $5, $6, $7, $8, $9) AS rows (clicks, impressions, position_sum, page, country, device)
JOIN search_values AS pages ON pages.domain_id = $1 AND pages.kind = 2 AND pages.value = rows.page
GROUP BY pages.id, rows.country, rows.device
-- The rows of a page are read together, so they lie side by side.
ORDER BY pages.id
