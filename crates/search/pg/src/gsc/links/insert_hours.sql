INSERT INTO search_hours (domain_id, search_type, hour, clicks, impressions, position_sum)
SELECT $1, $2, h.hour, sum(h.clicks), sum(h.impressions), sum(h.position_sum)
FROM unnest($3, $4, $5, $6) AS h (hour, clicks, impressions, position_sum)
GROUP BY h.hour
