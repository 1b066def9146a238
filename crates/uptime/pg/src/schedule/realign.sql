-- Nothing is due in more than an interval, and no lease is as long as this: what lies further ahead was written by a clock
-- that has been set back since.
UPDATE uptime_schedules AS s
SET next_check_at = least(s.next_check_at, now()), leased_until = NULL
FROM uptime_monitors AS m
WHERE s.region = $1
    AND m.domain_id = s.domain_id
    AND (
        s.next_check_at > now() + m.interval_seconds * interval '1 second' + interval '5 seconds'
        OR s.leased_until > now() + interval '5 minutes'
    )
