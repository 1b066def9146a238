DELETE FROM analytics_evaluations
WHERE id IN (
    SELECT id
    FROM analytics_evaluations
    WHERE experiment_id = $1
    ORDER BY requested_at DESC, id DESC
    OFFSET $2
)
