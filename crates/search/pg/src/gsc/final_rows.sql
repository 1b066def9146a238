SELECT
    EXISTS (SELECT FROM search_queries WHERE domain_id = $1 AND search_type = $2 AND date = $3) AS queries,
    EXISTS (SELECT FROM search_pages WHERE domain_id = $1 AND search_type = $2 AND date = $3) AS pages
FROM search_days
WHERE domain_id = $1 AND search_type = $2 AND date = $3 AND is_final
