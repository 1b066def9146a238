-- The rules whose claim still holds, and whose settings are those that they were evaluated by. Each step looks the next up by
-- key: how many are asked for is not known when this is planned, and joining them once more would compare all with all. So
-- would the index of leases, which the planner takes for as good as the key: all rules of a claim have one lease. No index
-- serves IS NOT DISTINCT FROM.
WITH asked AS MATERIALIZED (
    SELECT *
    FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) AS asked
        (rule_id, updated_at, leased_until, state, last_value, fired_at, is_open, next_evaluation_at, evaluated_at, due_at,
            is_put_off, told_through)
),
-- First the rules, then how they stand, as whoever changes a rule locks them.
present AS MATERIALIZED (
    SELECT a.*
    FROM asked AS a
    JOIN alert_rules AS r ON r.id = a.rule_id AND r.updated_at = a.updated_at AND r.enabled
    ORDER BY a.rule_id
    FOR SHARE OF r
),
held AS MATERIALIZED (
    SELECT p.*
    FROM present AS p
    JOIN alert_evaluations AS e ON e.rule_id = p.rule_id AND e.leased_until IS NOT DISTINCT FROM p.leased_until
    ORDER BY p.rule_id
    FOR UPDATE OF e
)
UPDATE alert_evaluations AS e
SET state = h.state,
    last_value = h.last_value,
    last_fired_at = h.fired_at,
    told_through = h.told_through,
    is_open = h.is_open,
    last_evaluated_at = h.evaluated_at,
    -- A rule that was woken since its claim is evaluated again at once, unless it is put off. All wakes are read once, not once a
    -- rule.
    next_evaluation_at = CASE
        WHEN e.next_evaluation_at IS NULL THEN NULL
        WHEN h.is_put_off THEN h.next_evaluation_at
        WHEN e.domain_id IN (SELECT w.domain_id FROM alert_wakes AS w) THEN now()
        -- The wake was taken away by another claim, which could not have the rule.
        WHEN e.next_evaluation_at <> h.due_at THEN now()
        ELSE h.next_evaluation_at
    END,
    put_off_until = CASE WHEN h.is_put_off THEN h.next_evaluation_at END,
    leased_until = NULL
FROM held AS h
WHERE e.rule_id = h.rule_id AND e.leased_until IS NOT DISTINCT FROM h.leased_until
RETURNING e.rule_id, e.domain_id, e.workspace_id
