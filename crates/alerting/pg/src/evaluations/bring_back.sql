-- No rule is due in more than a day, and no lease is longer than an hour: what lies further ahead was written by a clock that
-- has been set back since. A firing of the future would keep its rule silent until then. What is null stays so.
UPDATE alert_evaluations
SET next_evaluation_at = CASE WHEN next_evaluation_at > now() THEN now() ELSE next_evaluation_at END,
    leased_until = CASE WHEN leased_until > now() + interval '1 hour' THEN NULL ELSE leased_until END,
    last_fired_at = CASE WHEN last_fired_at > now() THEN now() ELSE last_fired_at END
WHERE next_evaluation_at > now() + interval '1 day 5 seconds'
    OR leased_until > now() + interval '1 hour'
    OR last_fired_at > now() + interval '5 seconds'
