SELECT id
FROM search_values
WHERE domain_id = $1 AND kind = $2 AND value = $3
