-- The pages that web search sent most to within the 28 days up to the newest final one; those with the most clicks first.
SELECT v.value AS url, sums.clicks::bigint AS clicks
FROM (
    SELECT s.value_id, sum(s.clicks) AS clicks, sum(s.impressions) AS impressions
    FROM search_properties AS p
    JOIN search_sums AS s
        ON s.domain_id = p.domain_id AND s.search_type = 1 AND s.kind = 2
        AND s.date > p.data_through - 28 AND s.date <= p.data_through
    WHERE p.domain_id = $1
    GROUP BY s.value_id
    ORDER BY clicks DESC, impressions DESC, s.value_id
    LIMIT $2
) AS sums
JOIN search_values AS v ON v.id = sums.value_id
ORDER BY sums.clicks DESC, sums.impressions DESC, v.id
