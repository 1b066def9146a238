UPDATE indexing_sites
-- A clock that is ahead puts nothing off for longer.
SET next_round_at = least($3, now()) + interval '1 day', leased_until = NULL
WHERE domain_id = $1 AND leased_until = $2
