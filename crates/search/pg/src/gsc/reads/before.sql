-- The figures of the values of $9. $1 to $8: which rows, as search_chosen_values takes them.
SELECT
    c.value_id, sum(c.clicks)::bigint AS clicks, sum(c.impressions)::bigint AS impressions, sum(c.position_sum) AS position_sum
FROM search_chosen_values($1, $2, $3, $4, $5, $6, $7, $8) AS c
WHERE c.value_id IN (SELECT unnest($9))
GROUP BY c.value_id
