SELECT d.*
FROM indexing_days AS d
JOIN domains AS live ON live.id = d.domain_id AND live.deleted_at IS NULL
WHERE d.domain_id = ANY ($1) AND d.day >= $2
