INSERT INTO search_appearances (
    domain_id, search_type, date, appearance_id, page_id, clicks, impressions, position_sum
)
SELECT
    $1, $2, $3, appearances.id, pages.id, sum(rows.clicks), sum(rows.impressions), sum(rows.position_sum)
FROM unnest($4, $5, $6, $7, $8) AS rows (clicks, impressions, position_sum, appearance, page)
JOIN search_values AS appearances ON appearances.domain_id = $1 AND appearances.kind = 3 AND appearances.value = rows.appearance
JOIN search_values AS pages ON pages.domain_id = $1 AND pages.kind = 2 AND pages.value = rows.page
GROUP BY appearances.id, pages.id
