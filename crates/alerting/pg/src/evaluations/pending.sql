SELECT DISTINCT ON (p.rule_id) p.rule_id,
    sum(p.events) OVER (PARTITION BY p.rule_id) AS events,
    count(*) OVER (PARTITION BY p.rule_id) AS lines,
    p.number AS through,
    p.context
FROM alert_pending_events AS p
WHERE p.rule_id = ANY ($1)
ORDER BY p.rule_id, p.number DESC
