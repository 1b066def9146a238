WITH made AS (
    INSERT INTO alert_rules (id, domain_id, workspace_id, name, module, metric, operator, threshold, comparison_window,
        evaluation_window, min_sample, severity, enabled, cooldown_minutes, created_at, updated_at)
    SELECT r.id, r.domain_id, d.workspace_id, r.name, r.module, r.metric, r.operator, r.threshold, r.comparison_window,
        r.evaluation_window, r.min_sample, r.severity, true, r.cooldown_minutes, now(), now()
    FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) AS r (id, domain_id, name, metric, operator, threshold,
        comparison_window, evaluation_window, min_sample, severity, cooldown_minutes, module)
    JOIN domains AS d ON d.id = r.domain_id
    RETURNING id, domain_id, workspace_id
)
INSERT INTO alert_evaluations (rule_id, domain_id, workspace_id, next_evaluation_at)
SELECT id, domain_id, workspace_id, now() + interval '1 hour' FROM made
