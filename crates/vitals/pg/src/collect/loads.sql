INSERT INTO rum_loads AS known (domain_id, load_id, at, revision)
SELECT told.domain_id, told.load_id, told.at, told.revision
FROM unnest($1, $2, $3, $4) AS told (domain_id, load_id, at, revision)
ORDER BY 1, 2
ON CONFLICT (domain_id, load_id)
    DO UPDATE SET revision = excluded.revision WHERE known.revision < excluded.revision
RETURNING known.domain_id, known.load_id, known.at
