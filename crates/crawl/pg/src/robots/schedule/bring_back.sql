-- Nothing is due in more than its interval, and no lease is longer than an hour: what lies further ahead, or was checked later
-- than now, was written by a clock that has been set back since.
UPDATE robots_sites
SET next_check_at = least(next_check_at, now()), leased_until = NULL
WHERE next_check_at > now() + interval_seconds * interval '1 second' + interval '5 seconds'
    OR (last_checked_at > now() + interval '5 seconds' AND next_check_at > now())
    OR leased_until > now() + interval '1 hour'
