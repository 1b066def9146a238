UPDATE uptime_schedules AS s
SET next_check_at = CASE WHEN s.next_check_at = done.due_at THEN done.next_at ELSE s.next_check_at END,
    leased_until = NULL
FROM unnest($1, $2, $3, $4) AS done (domain_id, region, due_at, next_at)
WHERE s.domain_id = done.domain_id AND s.region = done.region
