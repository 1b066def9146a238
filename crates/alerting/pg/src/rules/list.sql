-- The rules of a domain, by whatever filter, since it has few; or the newest of each workspace, as far as a page may reach. Each
-- is read by its index. $5, $6: the position, or the beginning.
SELECT r.id, r.domain_id, d.hostname, r.workspace_id, r.name, r.module, r.metric, r.operator, r.threshold,
    r.comparison_window, r.evaluation_window, r.min_sample, r.url, r.form_factor, r.search_type, r.severity, r.enabled,
    r.cooldown_minutes, r.created_at, r.updated_at, r.created_by,
    e.state, e.last_value, e.last_evaluated_at, e.last_fired_at
FROM (
    (
        SELECT * FROM alert_rules
        WHERE domain_id = $1
            AND ($3 IS NULL OR module = $3) AND ($4 IS NULL OR enabled = $4)
            AND (created_at, id) < ($5, $6)
        ORDER BY created_at DESC, id DESC
        LIMIT $7
    )
    UNION ALL
    SELECT own.*
    FROM unnest($2) AS w (id)
    CROSS JOIN LATERAL (
        SELECT r.* FROM alert_rules AS r
        WHERE r.workspace_id = w.id
            -- Asked of each row in turn, until the page is full.
            AND (SELECT d.deleted_at IS NULL FROM domains AS d WHERE d.id = r.domain_id)
            AND (r.created_at, r.id) < ($5, $6)
        ORDER BY r.created_at DESC, r.id DESC
        LIMIT $7
    ) AS own
) AS r
-- One by one, however many the planner takes a page for.
CROSS JOIN LATERAL (SELECT * FROM domains AS f WHERE f.id = r.domain_id LIMIT 1) AS d
CROSS JOIN LATERAL (SELECT * FROM alert_evaluations AS f WHERE f.rule_id = r.id LIMIT 1) AS e
ORDER BY r.created_at DESC, r.id DESC
LIMIT $7
