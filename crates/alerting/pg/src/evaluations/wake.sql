-- The rules of domains where something happened are due at once. Wakes that another node takes away at the moment are left to it.
-- Rules that somebody evaluates at the moment get another time than they were claimed for: so whoever settles them sees it. Those
-- that were put off wait: what happens to their site makes them no quicker to read.
WITH woken AS (
    DELETE FROM alert_wakes
    WHERE number IN (SELECT number FROM alert_wakes ORDER BY number LIMIT 10000 FOR UPDATE SKIP LOCKED)
    RETURNING domain_id
)
UPDATE alert_evaluations AS e
SET next_evaluation_at = now()
FROM (
    SELECT e.rule_id
    FROM (SELECT DISTINCT domain_id FROM woken) AS w
    JOIN alert_evaluations AS e ON e.domain_id = w.domain_id
    WHERE (e.next_evaluation_at > now() OR e.leased_until > now())
        AND (e.put_off_until IS NULL OR e.put_off_until <= now())
    ORDER BY e.rule_id
    FOR UPDATE OF e
) AS due
WHERE e.rule_id = due.rule_id
