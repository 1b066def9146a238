-- A row is written where there is something to say; where something is of an earlier day it is locked in any case, so that
-- nobody rolls the day up before this can be seen. Where nothing is rolled up yet, the second day says nothing of the first.
INSERT INTO analytics_progress AS p (domain_id, first_at, last_at, commerce_at)
SELECT told.domain_id, told.first_at, told.last_at, told.commerce_at
FROM unnest($1, $2, $3, $4) AS told (domain_id, first_at, last_at, commerce_at)
LEFT JOIN analytics_progress AS known ON known.domain_id = told.domain_id
WHERE known.domain_id IS NULL
    OR told.first_at < known.first_at
    OR told.last_at > known.last_at + interval '1 minute'
    OR (known.commerce_at IS NULL AND told.commerce_at IS NOT NULL)
    OR told.first_at < date_trunc('day', now(), 'UTC')
ORDER BY 1
ON CONFLICT (domain_id) DO UPDATE SET
    first_at = least(p.first_at, excluded.first_at),
    last_at = greatest(p.last_at, excluded.last_at),
    commerce_at = least(p.commerce_at, excluded.commerce_at),
    -- Where nothing is rolled up yet it stays null: any day that stood there would pass for the end of what is.
    rolled_until = CASE
        WHEN excluded.first_at < p.rolled_until THEN date_trunc('day', excluded.first_at, 'UTC')
        ELSE p.rolled_until
    END
