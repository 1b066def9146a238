SELECT wanted.domain_id, wanted.search_type, wanted.date, v.value AS query, t.clicks
FROM unnest($1::uuid[], $2::smallint[], $3::date[]) AS wanted (domain_id, search_type, date)
JOIN search_sums AS t
    ON t.domain_id = wanted.domain_id AND t.search_type = wanted.search_type AND t.kind = 1 AND t.date = wanted.date
JOIN search_values AS v ON v.id = t.value_id
WHERE t.clicks > 0
