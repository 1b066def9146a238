UPDATE uptime_schedules AS s
SET next_check_at = done.next_at, leased_until = NULL
FROM unnest($1, $2, $3, $4) AS done (domain_id, region, due_at, next_at)
-- Where it is due at another time by now, its lease ended and somebody else has done it, or it was made due anew.
WHERE s.domain_id = done.domain_id AND s.region = done.region AND s.next_check_at = done.due_at
