SELECT d.*
FROM indexing_days AS d
WHERE d.domain_id = $1 AND d.day >= $2 AND d.day <= $3
