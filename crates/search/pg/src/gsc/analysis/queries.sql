-- The queries of a window, for those who look at each text.
SELECT v.id, v.value
FROM search_values AS v
WHERE v.id IN (
    SELECT s.value_id
    FROM search_sums AS s
    WHERE s.domain_id = $1 AND s.search_type = $2 AND s.kind = 1 AND s.date BETWEEN $3 AND $4
)
