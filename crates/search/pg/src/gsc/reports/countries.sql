SELECT DISTINCT p.country
FROM search_places AS p
WHERE p.domain_id = $1 AND p.search_type = $2
    AND (
        p.date BETWEEN $3 AND $4
        OR p.date BETWEEN ($3 - interval '1 year')::date AND ($4 - interval '1 year')::date
    )
