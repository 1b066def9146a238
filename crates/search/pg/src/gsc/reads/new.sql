-- Values with impressions from $4 to $5 and none from $6 to $7; of queries ($3: 1) with the page that has the most clicks.
WITH known AS (
    SELECT s.value_id
    FROM search_all_values($1, $2, $3, $6, $7) AS s
    WHERE s.impressions > 0
    GROUP BY s.value_id
), found AS (
    SELECT
        s.value_id, sum(s.clicks)::bigint AS clicks, sum(s.impressions)::bigint AS impressions, sum(s.position_sum) AS position_sum
    FROM search_all_values($1, $2, $3, $4, $5) AS s
    GROUP BY s.value_id
    HAVING sum(s.impressions) > 0
), fitting AS (
    SELECT f.value_id, f.clicks, f.impressions, f.position_sum
    FROM found AS f
    WHERE NOT EXISTS (SELECT FROM known AS k WHERE k.value_id = f.value_id)
), listed AS MATERIALIZED (
    SELECT f.value_id, f.clicks, f.impressions, f.position_sum
    FROM fitting AS f
    ORDER BY f.clicks DESC, f.impressions DESC, f.value_id
    LIMIT $8 OFFSET $9
), pairs AS (
    SELECT c.value_id, c.other_id, sum(c.clicks) AS clicks, sum(c.impressions) AS impressions
    FROM search_chosen_pairs($1, $2, $3, $4, $5, NULL, NULL, NULL) AS c
    WHERE $3 = 1 AND c.value_id = ANY(ARRAY(SELECT l.value_id FROM listed AS l))
    GROUP BY c.value_id, c.other_id
), tops AS (
    SELECT p.value_id, (array_agg(p.other_id ORDER BY p.clicks DESC, p.impressions DESC, p.other_id))[1] AS page_id
    FROM pairs AS p
    GROUP BY p.value_id
)
SELECT
    counted.total, v.value AS text, coalesce(l.clicks, 0) AS clicks, coalesce(l.impressions, 0) AS impressions,
    coalesce(l.position_sum, 0) AS position_sum, days.first_seen_on, days.best_position,
    page.value AS top_page
FROM (SELECT count(*) AS total FROM fitting) AS counted
LEFT JOIN listed AS l ON true
LEFT JOIN search_values AS v ON v.id = l.value_id
LEFT JOIN tops AS t ON t.value_id = l.value_id
LEFT JOIN search_values AS page ON page.id = t.page_id
LEFT JOIN LATERAL (
    SELECT min(d.date) AS first_seen_on, min(d.position_sum / d.impressions) FILTER (WHERE d.position_sum > 0) AS best_position
    FROM search_sums AS d
    WHERE d.domain_id = $1 AND d.search_type = $2 AND d.kind = $3 AND d.value_id = l.value_id
        AND d.date >= $4 AND d.date <= $5 AND d.impressions > 0
) AS days ON true
ORDER BY l.clicks DESC, l.impressions DESC, l.value_id
