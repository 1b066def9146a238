DELETE FROM jobs
WHERE id = ANY(ARRAY(
    SELECT id
    FROM (
        SELECT id FROM jobs WHERE state = 'succeeded' AND finished_at < $1
        UNION ALL
        SELECT id FROM jobs WHERE state = 'dead' AND finished_at < $2
    ) AS old
    LIMIT $3
))
