-- The days of a domain that are of the property before, some at a time.
SELECT d.search_type, d.date
FROM search_sources AS s
JOIN search_days AS d
    ON d.domain_id = s.domain_id AND d.search_type BETWEEN 1 AND 6 AND d.imported_at < s.others_until
WHERE s.domain_id = $1 AND s.others_until IS NOT NULL
ORDER BY d.date DESC, d.search_type
LIMIT $2
