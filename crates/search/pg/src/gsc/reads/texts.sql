-- $1 to $8: which rows, as search_chosen_values takes them.
SELECT v.id, v.value AS text
FROM search_values AS v
WHERE v.id IN (SELECT c.value_id FROM search_chosen_values($1, $2, $3, $4, $5, $6, $7, $8) AS c)
