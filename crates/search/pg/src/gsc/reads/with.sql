-- The values that a value ($6) appears with: the first rows by clicks, and how many clicks all of them have.
SELECT
    v.value AS text, f.clicks, f.impressions, f.position_sum, f.all_clicks
FROM (
    SELECT
        c.other_id, sum(c.clicks)::bigint AS clicks, sum(c.impressions)::bigint AS impressions, sum(c.position_sum) AS position_sum,
        sum(sum(c.clicks)) OVER ()::bigint AS all_clicks
    FROM search_chosen_pairs($1, $2, $3, $4, $5, NULL, NULL, NULL) AS c
    WHERE c.value_id = $6
    GROUP BY c.other_id
    ORDER BY clicks DESC, impressions DESC, c.other_id
    LIMIT $7
) AS f
JOIN search_values AS v ON v.id = f.other_id
ORDER BY f.clicks DESC, f.impressions DESC, f.other_id
