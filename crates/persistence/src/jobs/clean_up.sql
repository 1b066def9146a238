DELETE FROM jobs
WHERE id = ANY(ARRAY(
    SELECT old.id
    FROM (
        SELECT id, run_id FROM jobs WHERE state = 'succeeded' AND finished_at < $1
        UNION ALL
        SELECT id, run_id FROM jobs WHERE state = 'dead' AND finished_at < $2
    ) AS old
    -- A run that is open comes to what all of its jobs come to.
    WHERE NOT EXISTS (SELECT FROM runs AS r WHERE r.id = old.run_id AND r.status IN ('queued', 'running'))
    LIMIT $3
))
