-- The pages that web search sent most to in the 28 days that end with $2.
SELECT v.value AS url
FROM (
    SELECT s.value_id, sum(s.clicks) AS clicks, sum(s.impressions) AS impressions
    FROM search_sums AS s
    WHERE s.domain_id = $1 AND s.search_type = 1 AND s.kind = 2 AND s.date > $2::date - 28 AND s.date <= $2
    GROUP BY s.value_id
    ORDER BY clicks DESC, impressions DESC, s.value_id
    LIMIT $3
) AS sums
JOIN search_values AS v ON v.id = sums.value_id
ORDER BY sums.clicks DESC, sums.impressions DESC, v.id
