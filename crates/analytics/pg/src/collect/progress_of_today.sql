-- When the last of it was. A row that somebody else holds, as whoever rolls up earlier days does, is left to the next batch.
UPDATE analytics_progress AS p
SET last_at = greatest(p.last_at, told.last_at)
FROM (
    SELECT known.domain_id, told.last_at
    FROM unnest($1, $2) AS told (domain_id, last_at)
    JOIN analytics_progress AS known ON known.domain_id = told.domain_id
    WHERE told.last_at > known.last_at + interval '1 minute'
    ORDER BY known.domain_id
    FOR NO KEY UPDATE OF known SKIP LOCKED
) AS told
WHERE p.domain_id = told.domain_id
