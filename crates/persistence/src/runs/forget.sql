-- A run outlives its result: whoever asks after that hears that it was there.
DELETE FROM runs
WHERE id = ANY(ARRAY(
    SELECT id
    FROM runs
    WHERE finished_at < $1 AND (expires_at IS NULL OR expires_at < $1)
    LIMIT $2
))
