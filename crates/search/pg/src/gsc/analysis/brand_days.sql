SELECT
    d.date, d.clicks, d.impressions, d.position_sum,
    coalesce(q.branded_clicks, 0) AS branded_clicks,
    coalesce(q.branded_impressions, 0) AS branded_impressions,
    coalesce(q.branded_position_sum, 0) AS branded_position_sum,
    coalesce(q.other_clicks, 0) AS other_clicks,
    coalesce(q.other_impressions, 0) AS other_impressions,
    coalesce(q.other_position_sum, 0) AS other_position_sum
FROM search_days AS d
LEFT JOIN (
    SELECT
        s.date,
        (sum(s.clicks) FILTER (WHERE b.id IS NOT NULL))::bigint AS branded_clicks,
        (sum(s.impressions) FILTER (WHERE b.id IS NOT NULL))::bigint AS branded_impressions,
        sum(s.position_sum) FILTER (WHERE b.id IS NOT NULL) AS branded_position_sum,
        (sum(s.clicks) FILTER (WHERE b.id IS NULL))::bigint AS other_clicks,
        (sum(s.impressions) FILTER (WHERE b.id IS NULL))::bigint AS other_impressions,
        sum(s.position_sum) FILTER (WHERE b.id IS NULL) AS other_position_sum
    FROM search_sums AS s
    LEFT JOIN unnest($5) AS b (id) ON b.id = s.value_id
    WHERE s.domain_id = $1 AND s.search_type = $2 AND s.kind = 1 AND s.date BETWEEN $3 AND $4
    GROUP BY s.date
) AS q ON q.date = d.date
WHERE d.domain_id = $1 AND d.search_type = $2 AND d.date BETWEEN $3 AND $4
ORDER BY d.date
