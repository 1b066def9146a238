SELECT r.id, r.domain_id, d.hostname, r.workspace_id, r.name, r.module, r.metric, r.operator, r.threshold,
    r.comparison_window, r.evaluation_window, r.min_sample, r.url, r.form_factor, r.search_type, r.severity, r.enabled,
    r.cooldown_minutes, r.created_at, r.updated_at, r.created_by,
    e.state, e.last_value, e.last_evaluated_at, e.last_fired_at
FROM alert_rules AS r
JOIN domains AS d ON d.id = r.domain_id
JOIN alert_evaluations AS e ON e.rule_id = r.id
WHERE r.domain_id = $1 AND r.id = $2
