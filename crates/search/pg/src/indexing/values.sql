-- The clicks and impressions that web search brought to some pages in the 28 days that end with $3.
SELECT v.value AS url, sum(s.clicks)::bigint AS clicks, sum(s.impressions)::bigint AS impressions
FROM search_values AS v
JOIN search_sums AS s
    ON s.domain_id = $1 AND s.search_type = 1 AND s.kind = 2 AND s.value_id = v.id
    AND s.date > $3::date - 28 AND s.date <= $3
WHERE v.domain_id = $1 AND v.kind = 2 AND v.value = ANY ($2)
GROUP BY v.value
