-- Nothing is due in more than a week, and no lease is as long as this: what lies further ahead was written by a clock that has
-- been set back since.
UPDATE synthetic_urls
SET next_run_at = least(next_run_at, now()), leased_until = NULL
WHERE next_run_at > now() + interval '8 days' OR leased_until > now() + interval '1 hour'
