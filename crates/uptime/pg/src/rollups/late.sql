INSERT INTO uptime_rollup_progress AS progress (domain_id)
SELECT late.domain_id
FROM unnest($1, $2) AS late (domain_id, day)
ORDER BY late.domain_id
-- Where it changes nothing, it still locks: nobody rolls the day up before the check can be seen.
ON CONFLICT (domain_id) DO UPDATE SET rolled_until = (
    SELECT CASE WHEN late.day < progress.rolled_until THEN late.day ELSE progress.rolled_until END
    FROM unnest($1, $2) AS late (domain_id, day)
    WHERE late.domain_id = progress.domain_id
)
