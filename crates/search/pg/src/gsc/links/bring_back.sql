-- Nothing is due in more than a day, and no lease is as long as this: what lies further ahead was written by a clock that has
-- been set back since.
UPDATE search_properties
SET next_sync_at = least(next_sync_at, now()), newest_due_at = least(newest_due_at, now()), leased_until = NULL
WHERE next_sync_at > now() + interval '1 day 5 seconds' OR leased_until > now() + interval '3 hours'
