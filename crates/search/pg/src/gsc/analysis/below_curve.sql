-- $7: the rates that are expected at 1 to 20. The core judges what is found.
SELECT v.value, f.clicks, f.impressions, f.position_sum
FROM (
    SELECT s.*
    FROM (
        SELECT
            s.value_id, sum(s.clicks)::bigint AS clicks, sum(s.impressions)::bigint AS impressions,
            sum(s.position_sum) AS position_sum,
            (sum(s.position_sum) / sum(s.impressions))::float8 AS position
        FROM search_sums AS s
        WHERE s.domain_id = $1 AND s.search_type = $2 AND s.kind = $3 AND s.date BETWEEN $4 AND $5
        GROUP BY s.value_id
        HAVING sum(s.impressions) >= $6
    ) AS s
    LEFT JOIN unnest($8) AS excluded (id) ON excluded.id = s.value_id
    CROSS JOIN LATERAL (
        -- The line between the whole positions around it.
        SELECT
            ($7)[floor(s.position)::integer] + (
                ($7)[least(floor(s.position)::integer + 1, 20)] - ($7)[floor(s.position)::integer]
            ) * (s.position - floor(s.position)) AS rate
    ) AS expected
    WHERE excluded.id IS NULL AND s.position BETWEEN 1 AND 20
    ORDER BY s.impressions * expected.rate - s.clicks DESC, s.value_id
    LIMIT 1000
) AS f
JOIN search_values AS v ON v.id = f.value_id
