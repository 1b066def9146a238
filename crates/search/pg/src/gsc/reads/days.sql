SELECT search_type, date, clicks, impressions, position_sum
FROM search_days
WHERE domain_id = $1 AND date >= $2 AND date <= $3 AND search_type = ANY($4)
