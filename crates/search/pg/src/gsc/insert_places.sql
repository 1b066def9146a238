INSERT INTO search_places (
    domain_id, search_type, date, country, device, clicks, impressions, position_sum
)
SELECT
    $1, $2, $3, rows.country, rows.device, sum(rows.clicks), sum(rows.impressions), sum(rows.position_sum)
FROM unnest($4, $5, $6, $7, $8) AS rows (clicks, impressions, position_sum, country, device)
GROUP BY rows.country, rows.device
