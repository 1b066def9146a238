-- Repairs moments that lie further ahead than they may: a clock wrote them that has been set back since. No rule was evaluated,
-- or fired, in the future, which would keep it silent until then; no lease is longer than an hour; and no rule is due later than
-- in an hour, but one that was set aside for a day. A moment that is null stays so. A rule that is due again is put off no
-- longer.
UPDATE alert_evaluations AS e
SET next_evaluation_at = CASE WHEN e.next_evaluation_at > now() THEN now() ELSE e.next_evaluation_at END,
    put_off_until = NULL,
    leased_until = CASE WHEN e.leased_until > now() + interval '1 hour' THEN NULL ELSE e.leased_until END,
    last_evaluated_at = CASE WHEN e.last_evaluated_at > now() THEN now() ELSE e.last_evaluated_at END,
    last_fired_at = CASE WHEN e.last_fired_at > now() THEN now() ELSE e.last_fired_at END
WHERE e.leased_until > now() + interval '1 hour'
    OR e.last_evaluated_at > now() + interval '5 seconds'
    OR e.last_fired_at > now() + interval '5 seconds'
    OR (
        e.next_evaluation_at > now() + interval '1 hour 5 seconds'
        AND NOT EXISTS (
            SELECT
            FROM set_aside AS s
            WHERE s.kind = 'alert_rule' AND s.subject = e.rule_id::text
                AND s.last_at <= now() + interval '5 seconds'
                AND e.next_evaluation_at <= s.last_at + interval '1 day 5 seconds'
        )
    )
