UPDATE domain_registrations
-- A clock that is ahead puts nothing off for longer.
SET next_check_at = least($3, now()) + interval '1 day', leased_until = NULL
WHERE name = $1 AND leased_until = $2
