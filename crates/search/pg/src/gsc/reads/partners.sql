-- For each value of $9: how many others it appears with, and the one with the most clicks. $1 to $8: which rows, as
-- search_chosen_pairs takes them.
SELECT ranked.value_id, ranked.partners, v.value AS top
FROM (
    SELECT
        p.value_id, count(*) AS partners,
        (array_agg(p.other_id ORDER BY p.clicks DESC, p.impressions DESC, p.other_id))[1] AS top_id
    FROM (
        SELECT c.value_id, c.other_id, sum(c.clicks) AS clicks, sum(c.impressions) AS impressions
        FROM search_chosen_pairs($1, $2, $3, $4, $5, $6, $7, $8) AS c
        WHERE c.value_id = ANY($9)
        GROUP BY c.value_id, c.other_id
    ) AS p
    GROUP BY p.value_id
) AS ranked
JOIN search_values AS v ON v.id = ranked.top_id
