-- $5: the fewest clicks of a best week. $6: pages that are left out.
SELECT w.value_id AS id, v.value AS page, w.weeks, w.clicks, w.impressions, w.position_sums
FROM (
    SELECT
        p.value_id,
        array_agg(p.week) AS weeks,
        array_agg(p.clicks) AS clicks,
        array_agg(p.impressions) AS impressions,
        array_agg(p.position_sum) AS position_sums
    FROM (
        SELECT
            s.value_id, (s.date - $3) / 7 AS week, sum(s.clicks)::bigint AS clicks,
            sum(s.impressions)::bigint AS impressions, sum(s.position_sum) AS position_sum
        FROM search_sums AS s
        WHERE s.domain_id = $1 AND s.search_type = $2 AND s.kind = 2 AND s.date BETWEEN $3 AND $4
        GROUP BY s.value_id, (s.date - $3) / 7
    ) AS p
    LEFT JOIN unnest($6) AS excluded (id) ON excluded.id = p.value_id
    WHERE excluded.id IS NULL
    GROUP BY p.value_id
    HAVING max(p.clicks) >= $5
    ORDER BY max(p.clicks) - coalesce(max(p.clicks) FILTER (WHERE p.week = ($4 - $3) / 7), 0) DESC, p.value_id
    LIMIT 1000
) AS w
JOIN search_values AS v ON v.id = w.value_id
