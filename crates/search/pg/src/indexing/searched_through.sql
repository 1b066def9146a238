-- The newest final day of a domain, if all of the 28 days up to it were imported of web search.
SELECT s.data_through
FROM search_properties AS s
JOIN search_imports AS i ON i.domain_id = s.domain_id AND i.site_url = s.site_url AND i.search_type = 1
WHERE s.domain_id = $1 AND i.reached <= s.data_through - 27
    AND NOT EXISTS (
        SELECT FROM search_missed_days AS m
        WHERE m.domain_id = s.domain_id AND m.search_type = 1 AND m.date BETWEEN s.data_through - 27 AND s.data_through
    )
