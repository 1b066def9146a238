-- Queries at their rounded average position, 1 to 20.
SELECT p.position, sum(p.clicks)::bigint AS clicks, sum(p.impressions)::bigint AS impressions
FROM (
    SELECT
        -- Halves away from zero, as people round.
        round((sum(s.position_sum) / sum(s.impressions))::numeric)::smallint AS position, sum(s.clicks) AS clicks,
        sum(s.impressions) AS impressions
    FROM search_all_values($1, $2, 1::smallint, $3, $4) AS s
    GROUP BY s.value_id
    HAVING sum(s.impressions) > 0 AND sum(s.position_sum) < 30000 * sum(s.impressions)
) AS p
WHERE p.position BETWEEN 1 AND 20
GROUP BY p.position
