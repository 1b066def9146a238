-- When the last view began, and the version of the script. A row that somebody else holds, as whoever rolls up earlier days does, is left to the
-- next batch.
UPDATE rum_progress AS progress
SET last_at = greatest(progress.last_at, told.last_at),
    beacon_version = CASE
        WHEN progress.beacon_version IS NULL OR told.last_at >= progress.last_at
        THEN coalesce(told.beacon_version, progress.beacon_version)
        ELSE progress.beacon_version
    END
FROM (
    SELECT known.domain_id, told.last_at, told.beacon_version
    FROM unnest($1, $2, $3) AS told (domain_id, last_at, beacon_version)
    JOIN rum_progress AS known ON known.domain_id = told.domain_id
    WHERE told.last_at > known.last_at + interval '1 minute'
        OR (known.beacon_version IS NULL AND told.beacon_version IS NOT NULL)
    ORDER BY known.domain_id
    FOR NO KEY UPDATE OF known SKIP LOCKED
) AS told
WHERE progress.domain_id = told.domain_id
