-- Texts of the property before, some at a time. Its days are gone by now, so few rows of the domain are left, if any.
WITH used AS MATERIALIZED (
    SELECT value_id FROM search_sums WHERE domain_id = $1
    UNION
    SELECT value_id FROM search_month_sums WHERE domain_id = $1
    UNION
    SELECT query_id FROM search_pairs WHERE domain_id = $1
    UNION
    SELECT page_id FROM search_pairs WHERE domain_id = $1
    UNION
    SELECT appearance_id FROM search_appearances WHERE domain_id = $1
    UNION
    SELECT page_id FROM search_appearances WHERE domain_id = $1
)
DELETE FROM search_values
WHERE id = ANY (ARRAY(
    SELECT known.id
    FROM search_values AS known
    WHERE known.domain_id = $1 AND NOT EXISTS (SELECT FROM used WHERE used.value_id = known.id)
    LIMIT $2
))
