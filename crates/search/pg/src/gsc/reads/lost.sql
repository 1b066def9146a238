-- Values with impressions from $6 to $7 and none from $4 to $5, and how much of what they appeared with ($12: the other kind)
-- is still seen. For a page ($3: 2) also whether inspections found since $6 that it left the index, where it still is not. $8:
-- whether the page begins after clicks $9 and value $10.
WITH now AS (
    SELECT s.value_id
    FROM search_all_values($1, $2, $3, $4, $5) AS s
    WHERE s.impressions > 0
    GROUP BY s.value_id
), base AS (
    SELECT
        s.value_id, sum(s.clicks)::bigint AS clicks, sum(s.impressions)::bigint AS impressions, sum(s.position_sum) AS position_sum
    FROM search_all_values($1, $2, $3, $6, $7) AS s
    GROUP BY s.value_id
    HAVING sum(s.impressions) > 0
), listed AS MATERIALIZED (
    SELECT b.value_id, b.clicks, b.impressions, b.position_sum
    FROM base AS b
    WHERE NOT EXISTS (SELECT FROM now AS n WHERE n.value_id = b.value_id)
        AND (NOT $8::boolean OR b.clicks < $9 OR (b.clicks = $9 AND b.value_id > $10))
    ORDER BY b.clicks DESC, b.value_id
    LIMIT $11
), pairs AS MATERIALIZED (
    SELECT c.value_id, c.other_id, sum(c.impressions) AS impressions
    FROM search_chosen_pairs($1, $2, $3, $6, $7, NULL, NULL, NULL) AS c
    WHERE c.value_id = ANY(ARRAY(SELECT l.value_id FROM listed AS l))
    GROUP BY c.value_id, c.other_id
), others AS (
    SELECT s.value_id
    FROM search_all_values($1, $2, $12, $4, $5) AS s
    WHERE s.impressions > 0 AND s.value_id = ANY(ARRAY(SELECT DISTINCT p.other_id FROM pairs AS p))
    GROUP BY s.value_id
), kept AS (
    SELECT p.value_id, (coalesce(sum(p.impressions) FILTER (WHERE o.value_id IS NOT NULL), 0) / sum(p.impressions))::double precision AS share
    FROM pairs AS p
    LEFT JOIN others AS o ON o.value_id = p.other_id
    GROUP BY p.value_id
    HAVING sum(p.impressions) > 0
)
SELECT
    l.value_id, v.value AS text, l.clicks, l.impressions, l.position_sum, days.last_seen_on, days.last_position,
    k.share AS kept_share,
    $3 = 2 AND EXISTS (
        SELECT FROM indexing_urls AS u
        JOIN indexing_changes AS c ON c.url_id = u.id
        WHERE u.domain_id = $1 AND u.url = v.value AND u.verdict NOT IN ('pass', 'unknown')
            AND c.changed_at >= $6::timestamp AT TIME ZONE 'UTC' AND c.field = 'verdict' AND c.before = 'pass'
    ) AS is_deindexed
FROM listed AS l
JOIN search_values AS v ON v.id = l.value_id
LEFT JOIN kept AS k ON k.value_id = l.value_id
CROSS JOIN LATERAL (
    SELECT d.date AS last_seen_on, nullif(d.position_sum, 0) / d.impressions AS last_position
    FROM search_sums AS d
    WHERE d.domain_id = $1 AND d.search_type = $2 AND d.kind = $3 AND d.value_id = l.value_id
        AND d.date >= $6 AND d.date <= $7 AND d.impressions > 0
    ORDER BY d.date DESC
    LIMIT 1
) AS days
ORDER BY l.clicks DESC, l.value_id
