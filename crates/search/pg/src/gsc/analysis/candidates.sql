-- $7 to $9: the ends of the first three bands of positions. $10, $11: the rates that are expected at the first and the second of
-- them. The core judges what is found. Each of the thousand is looked up by its own
-- range of an index, whatever PostgreSQL knows of the tables.
WITH candidates AS MATERIALIZED (
    SELECT
        s.*,
        s.impressions * CASE WHEN s.position_sum <= $8 * s.impressions THEN $10 ELSE $11 END - s.clicks AS potential
    FROM (
        SELECT
            s.value_id, sum(s.clicks)::bigint AS clicks, sum(s.impressions)::bigint AS impressions,
            sum(s.position_sum) AS position_sum
        FROM search_sums AS s
        WHERE s.domain_id = $1 AND s.search_type = $2 AND s.kind = 1 AND s.date BETWEEN $4 AND $5
        GROUP BY s.value_id
        HAVING sum(s.impressions) >= greatest($6, 1)
    ) AS s
    WHERE s.position_sum > $7 * s.impressions AND s.position_sum <= $9 * s.impressions
    ORDER BY potential DESC, s.value_id
    LIMIT 1000
)
SELECT
    q.value AS query, c.clicks, c.impressions, c.position_sum,
    b.clicks AS previous_clicks, b.impressions AS previous_impressions, b.position_sum AS previous_position_sum,
    u.value AS page, (s.impressions / nullif(p.impressions, 0))::float8 AS query_share
FROM candidates AS c
JOIN search_values AS q ON q.id = c.value_id
-- Nulls where it was not seen before.
CROSS JOIN LATERAL (
    SELECT
        sum(b.clicks)::bigint AS clicks, sum(b.impressions)::bigint AS impressions,
        sum(b.position_sum) AS position_sum
    FROM search_sums AS b
    WHERE b.domain_id = $1 AND b.search_type = $2 AND b.kind = 1 AND b.value_id = c.value_id
        AND b.date >= $3 AND b.date < $4
) AS b
LEFT JOIN LATERAL (
    SELECT b.page_id, sum(b.impressions) AS impressions
    FROM search_pairs AS b
    WHERE b.domain_id = $1 AND b.search_type = $2 AND b.query_id = c.value_id AND b.date BETWEEN $4 AND $5
    GROUP BY b.page_id
    ORDER BY sum(b.clicks) DESC, sum(b.impressions) DESC, b.page_id
    LIMIT 1
) AS s ON true
LEFT JOIN search_values AS u ON u.id = s.page_id
CROSS JOIN LATERAL (
    SELECT sum(p.impressions) AS impressions
    FROM search_sums AS p
    WHERE p.domain_id = $1 AND p.search_type = $2 AND p.kind = 2 AND p.value_id = s.page_id
        AND p.date BETWEEN $4 AND $5
) AS p
