-- An import that was asked for beside the schedule ($2 is null) puts nothing off.
UPDATE search_properties
SET next_sync_at = now() + interval '1 day', newest_due_at = now() + interval '1 day', leased_until = NULL
WHERE domain_id = $1 AND leased_until = $2
