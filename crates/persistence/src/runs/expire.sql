UPDATE runs
SET status = 'expired'
WHERE id = ANY(ARRAY(
    SELECT id
    FROM runs
    WHERE status IN ('succeeded', 'partial') AND expires_at IS NOT NULL AND expires_at <= $1
    LIMIT $2
))
