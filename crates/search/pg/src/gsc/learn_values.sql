INSERT INTO search_values (domain_id, kind, value, last_month)
SELECT DISTINCT $1, $2, wanted.value, date_trunc('month', $4)::date
FROM unnest($3) AS wanted (value)
WHERE NOT EXISTS (
    SELECT FROM search_values AS known
    WHERE known.domain_id = $1 AND known.kind = $2 AND known.value = wanted.value
)
ORDER BY 3
ON CONFLICT DO NOTHING
