SELECT date
FROM search_days
WHERE domain_id = $1 AND search_type = $2 AND date BETWEEN $3 AND $4 AND NOT (date = ANY ($5))
