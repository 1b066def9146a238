INSERT INTO rum_progress AS progress (domain_id, first_at, last_at, beacon_version)
SELECT told.domain_id, told.first_at, told.last_at, told.beacon_version
FROM unnest($1, $2, $3, $4) AS told (domain_id, first_at, last_at, beacon_version)
ORDER BY 1
-- Where it changes nothing, it still locks: nobody rolls a day up before its views can be seen.
ON CONFLICT (domain_id) DO UPDATE SET
    first_at = least(progress.first_at, excluded.first_at),
    last_at = greatest(progress.last_at, excluded.last_at),
    beacon_version = CASE
        WHEN progress.beacon_version IS NULL OR excluded.last_at >= progress.last_at
        THEN coalesce(excluded.beacon_version, progress.beacon_version)
        ELSE progress.beacon_version
    END,
    rolled_until = CASE
        WHEN excluded.first_at < progress.rolled_until THEN date_trunc('day', excluded.first_at, 'UTC')
        ELSE progress.rolled_until
    END
WHERE excluded.first_at < progress.first_at
    OR excluded.last_at > progress.last_at + interval '1 minute'
    OR excluded.first_at < progress.rolled_until
    OR (progress.beacon_version IS NULL AND excluded.beacon_version IS NOT NULL)
