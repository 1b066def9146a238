UPDATE crux_targets
-- A clock that is ahead puts nothing off for longer.
SET next_collection_at = least($3, now()) + interval '1 day', leased_until = NULL
WHERE id = $1 AND leased_until = $2
