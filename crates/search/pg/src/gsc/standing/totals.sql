SELECT t.domain_id, t.search_type, t.date, t.clicks, t.impressions, t.position_sum
FROM unnest($1::uuid[]) AS wanted (domain_id)
JOIN search_days AS t
    ON t.domain_id = wanted.domain_id AND t.search_type BETWEEN 1 AND 6 AND t.date BETWEEN $2 AND $3
