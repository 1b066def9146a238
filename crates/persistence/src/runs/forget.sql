DELETE FROM runs
WHERE id = ANY(ARRAY(SELECT id FROM runs WHERE finished_at < $1 LIMIT $2))
