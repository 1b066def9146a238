-- $1 to $8: which rows, as search_chosen_values takes them. $9: a part of the text. $10: the order: 0 clicks, 1 impressions, 2 CTR,
-- 3 position, 4 the text; $11: -1 where the greatest comes first. $12: the ids of branded queries, $13: whether those or the others.
WITH found AS (
    SELECT
        c.value_id, sum(c.clicks)::bigint AS clicks, sum(c.impressions)::bigint AS impressions,
        sum(c.position_sum) AS position_sum
    FROM search_chosen_values($1, $2, $3, $4, $5, $6, $7, $8) AS c
    GROUP BY c.value_id
), fitting AS (
    SELECT
        f.value_id, f.clicks, f.impressions, f.position_sum,
        $11::double precision * CASE $10::smallint
            WHEN 0 THEN f.clicks
            WHEN 1 THEN f.impressions
            WHEN 2 THEN f.clicks / nullif(f.impressions, 0)::double precision
            WHEN 3 THEN nullif(f.position_sum, 0) / nullif(f.impressions, 0)
        END AS key,
        CASE WHEN $10 = 4 THEN (SELECT v.value FROM search_values AS v WHERE v.id = f.value_id) END AS text
    FROM found AS f
    WHERE
        ($9::text IS NULL OR f.value_id IN (
            SELECT v.id
            FROM search_values AS v
            WHERE v.domain_id = $1 AND v.kind = $3 AND position(lower($9) IN lower(v.value)) > 0
        ))
        AND ($12::bigint[] IS NULL OR (f.value_id IN (SELECT unnest($12))) = $13::boolean)
), listed AS (
    SELECT f.value_id, f.clicks, f.impressions, f.position_sum, f.key, f.text
    FROM fitting AS f
    ORDER BY
        f.key NULLS LAST, CASE WHEN $11 > 0 THEN f.text END COLLATE "C", CASE WHEN $11 < 0 THEN f.text END COLLATE "C" DESC,
        f.impressions DESC, f.value_id
    LIMIT $14 OFFSET $15
)
SELECT
    counted.total, counted.total_clicks, counted.total_impressions, counted.total_position_sum,
    l.value_id, v.value AS text, coalesce(l.clicks, 0) AS clicks, coalesce(l.impressions, 0) AS impressions,
    coalesce(l.position_sum, 0) AS position_sum
FROM (
    SELECT
        count(*) AS total, coalesce(sum(f.clicks), 0)::bigint AS total_clicks,
        coalesce(sum(f.impressions), 0)::bigint AS total_impressions, coalesce(sum(f.position_sum), 0) AS total_position_sum
    FROM fitting AS f
) AS counted
LEFT JOIN listed AS l ON true
LEFT JOIN search_values AS v ON v.id = l.value_id
-- As the page was cut.
ORDER BY
    l.key NULLS LAST, CASE WHEN $11 > 0 THEN l.text END COLLATE "C", CASE WHEN $11 < 0 THEN l.text END COLLATE "C" DESC,
    l.impressions DESC, l.value_id
