-- Values that were seen from $4 to $5 as from $6 to $7, by how much their clicks changed. $8: -1 falls alone, 1 rises alone, 0 both.
WITH now AS (
    SELECT
        s.value_id, sum(s.clicks)::bigint AS clicks, sum(s.impressions)::bigint AS impressions, sum(s.position_sum) AS position_sum
    FROM search_all_values($1, $2, $3, $4, $5) AS s
    GROUP BY s.value_id
    HAVING sum(s.impressions) > 0
), before AS (
    SELECT
        s.value_id, sum(s.clicks)::bigint AS clicks, sum(s.impressions)::bigint AS impressions, sum(s.position_sum) AS position_sum
    FROM search_all_values($1, $2, $3, $6, $7) AS s
    GROUP BY s.value_id
    HAVING sum(s.impressions) > 0
), listed AS (
    SELECT
        n.value_id, n.clicks, n.impressions, n.position_sum, b.clicks AS clicks_before, b.impressions AS impressions_before,
        b.position_sum AS position_sum_before
    FROM now AS n
    JOIN before AS b ON b.value_id = n.value_id
    WHERE n.clicks <> b.clicks AND ($8::smallint = 0 OR sign(n.clicks - b.clicks) = $8)
    ORDER BY abs(n.clicks - b.clicks) DESC, n.clicks DESC, n.value_id
    LIMIT $9
)
SELECT
    v.value AS text, l.clicks, l.impressions, l.position_sum, l.clicks_before, l.impressions_before, l.position_sum_before
FROM listed AS l
JOIN search_values AS v ON v.id = l.value_id
ORDER BY abs(l.clicks - l.clicks_before) DESC, l.clicks DESC, l.value_id
