UPDATE sitemap_sites AS s
-- A clock that is ahead puts nothing off for longer than the schedule does. Whoever makes a site due meanwhile ends its claim.
SET leased_until = NULL, next_check_at = least(c.next_check_at, now() + s.interval_seconds * interval '1 second')
FROM unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[]) AS c (domain_id, leased_until, next_check_at)
WHERE s.domain_id = c.domain_id AND s.leased_until = c.leased_until
