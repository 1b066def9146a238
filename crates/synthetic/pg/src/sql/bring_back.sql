-- Nothing is due in more than a week, and no lease is as long as this: what lies further ahead, or was planned later than now, was
-- written by a clock that has been set back since.
UPDATE synthetic_urls
SET next_run_at = least(next_run_at, now()), leased_until = NULL,
    planned_at = CASE WHEN planned_at > now() THEN now() ELSE planned_at END
WHERE next_run_at > now() + interval '8 days'
    OR leased_until > now() + interval '1 hour'
    OR (planned_at > now() + interval '5 seconds' AND next_run_at > now())
