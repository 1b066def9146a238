-- The last row of each rule takes over what those before it stand for. Only what this deletes is added, so none is lost and none
-- counts twice, whatever comes meanwhile.
WITH asked AS (
    SELECT * FROM unnest($1, $2) AS asked (rule_id, through)
),
gone AS (
    DELETE FROM alert_pending_events AS p
    USING asked
    WHERE p.rule_id = asked.rule_id AND p.number < asked.through
    RETURNING p.rule_id, p.events
),
added AS (
    SELECT gone.rule_id, sum(gone.events) AS events FROM gone GROUP BY gone.rule_id
)
UPDATE alert_pending_events AS p
SET events = least(p.events + added.events, 2147483647)
FROM added
JOIN asked ON asked.rule_id = added.rule_id
WHERE p.rule_id = asked.rule_id AND p.number = asked.through
