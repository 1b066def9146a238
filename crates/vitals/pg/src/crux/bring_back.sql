-- Nothing is due in more than a day, and no lease is as long as this: what lies further ahead, or was asked for later than now,
-- was written by a clock that has been set back since.
UPDATE crux_targets
SET next_collection_at = least(next_collection_at, now()), leased_until = NULL
WHERE next_collection_at > now() + interval '1 day 5 seconds'
    OR (asked_at > now() + interval '5 seconds' AND next_collection_at > now())
    OR leased_until > now() + interval '1 hour'
