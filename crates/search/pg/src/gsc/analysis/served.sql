-- $7, $8: the position in the list, or the beginning.
WITH shared AS (
    SELECT p.query_id
    FROM search_pairs AS p
    LEFT JOIN unnest($6) AS excluded (id) ON excluded.id = p.page_id
    WHERE p.domain_id = $1 AND p.search_type = $2 AND p.date BETWEEN $3 AND $4 AND excluded.id IS NULL
    GROUP BY p.query_id
    -- Two pages at least.
    HAVING min(p.page_id) < max(p.page_id)
), sums AS (
    SELECT
        s.value_id, sum(s.clicks)::bigint AS clicks, sum(s.impressions)::bigint AS impressions,
        sum(s.position_sum) AS position_sum
    FROM search_sums AS s
    WHERE s.domain_id = $1 AND s.search_type = $2 AND s.kind = 1 AND s.date BETWEEN $3 AND $4
        AND s.value_id IN (SELECT shared.query_id FROM shared)
    GROUP BY s.value_id
    HAVING sum(s.impressions) >= $5
), listed AS MATERIALIZED (
    SELECT s.*
    FROM sums AS s
    WHERE (s.impressions, s.value_id) < ($7, $8)
    ORDER BY s.impressions DESC, s.value_id DESC
    LIMIT $9
)
SELECT
    l.value_id AS id, q.value AS query, l.clicks AS query_clicks, l.impressions AS query_impressions,
    l.position_sum AS query_position_sum, p.date, u.value AS page, p.clicks, p.impressions, p.position_sum
FROM listed AS l
JOIN search_values AS q ON q.id = l.value_id
CROSS JOIN LATERAL (
    SELECT
        b.date, b.page_id, sum(b.clicks)::bigint AS clicks, sum(b.impressions)::bigint AS impressions,
        sum(b.position_sum) AS position_sum
    FROM search_pairs AS b
    LEFT JOIN unnest($6) AS excluded (id) ON excluded.id = b.page_id
    WHERE b.domain_id = $1 AND b.search_type = $2 AND b.query_id = l.value_id AND b.date BETWEEN $3 AND $4
        AND excluded.id IS NULL
    GROUP BY b.date, b.page_id
) AS p
JOIN search_values AS u ON u.id = p.page_id
ORDER BY l.impressions DESC, l.value_id DESC, p.date
