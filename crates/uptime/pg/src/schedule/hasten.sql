UPDATE uptime_schedules AS s
SET next_check_at = sooner.at
FROM unnest($1, $2, $3) AS sooner (domain_id, region, at)
WHERE s.domain_id = sooner.domain_id AND s.region = sooner.region AND s.next_check_at > sooner.at
    -- One that is due, claimed or under way stays.
    AND (s.leased_until IS NULL OR s.leased_until <= now())
RETURNING s.region
