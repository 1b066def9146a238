-- Nothing is due in more than a day and some minutes, and no lease is as long as this: what lies further ahead, or had a round
-- later than now, was written by a clock that has been set back since.
UPDATE indexing_sites
SET next_round_at = least(next_round_at, now()), leased_until = NULL
WHERE next_round_at > now() + interval '25 hours'
    OR (round_at > now() + interval '5 seconds' AND next_round_at > now())
    OR leased_until > now() + interval '1 hour'
