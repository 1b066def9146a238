-- By the look of results: of the whole property, or of one page ($5).
SELECT v.value AS text, f.clicks, f.impressions, f.position_sum
FROM (
    SELECT
        a.appearance_id, sum(a.clicks)::bigint AS clicks, sum(a.impressions)::bigint AS impressions,
        sum(a.position_sum) AS position_sum
    FROM search_appearances AS a
    WHERE a.domain_id = $1 AND a.search_type = $2 AND a.date >= $3 AND a.date <= $4 AND ($5::bigint IS NULL OR a.page_id = $5)
    GROUP BY a.appearance_id
) AS f
JOIN search_values AS v ON v.id = f.appearance_id
ORDER BY f.clicks DESC, f.impressions DESC, v.value COLLATE "C"
