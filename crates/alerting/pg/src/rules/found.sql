-- The rules of workspaces by module and by whether they are enabled. $4, $5: the position, or the beginning.
SELECT r.id, r.domain_id, d.hostname, r.workspace_id, r.name, r.module, r.metric, r.operator, r.threshold,
    r.comparison_window, r.evaluation_window, r.min_sample, r.url, r.form_factor, r.search_type, r.severity, r.enabled,
    r.cooldown_minutes, r.created_at, r.updated_at, r.created_by,
    e.state, e.last_value, e.last_evaluated_at, e.last_fired_at
FROM (
    SELECT own.id, own.created_at
    FROM unnest($1) AS w (id)
    CROSS JOIN unnest($2) AS m (module)
    CROSS JOIN unnest($3) AS s (enabled)
    -- A page of each combination, by the index of all three, which has all that is looked at.
    CROSS JOIN LATERAL (
        SELECT f.id, f.created_at FROM alert_rules AS f
        WHERE f.workspace_id = w.id AND f.module = m.module AND f.enabled = s.enabled
            AND (f.created_at, f.id) < ($4, $5)
            -- Asked of each row in turn, until the page is full.
            AND (SELECT d.deleted_at IS NULL FROM domains AS d WHERE d.id = f.domain_id)
        ORDER BY f.created_at DESC, f.id DESC
        LIMIT $6
    ) AS own
    ORDER BY own.created_at DESC, own.id DESC
    LIMIT $6
) AS page
-- One by one, however many the planner takes a page for.
CROSS JOIN LATERAL (SELECT * FROM alert_rules AS f WHERE f.id = page.id LIMIT 1) AS r
CROSS JOIN LATERAL (SELECT * FROM alert_evaluations AS f WHERE f.rule_id = page.id LIMIT 1) AS e
JOIN domains AS d ON d.id = r.domain_id
ORDER BY r.created_at DESC, r.id DESC
