-- Of a domain, by whatever filter, since it has few; or of each workspace the newest, as far as a page may reach. Each is read by
-- its index.
SELECT r.id, r.domain_id, d.hostname, r.workspace_id, r.name, r.module, r.metric, r.operator, r.threshold,
    r.comparison_window, r.evaluation_window, r.min_sample, r.url, r.form_factor, r.search_type, r.severity, r.enabled,
    r.cooldown_minutes, r.created_at, r.updated_at, r.created_by,
    e.state, e.last_value, e.last_evaluated_at, e.last_fired_at
FROM (
    (
        SELECT * FROM alert_rules
        WHERE domain_id = $1
            AND ($3 IS NULL OR module = $3) AND ($4 IS NULL OR enabled = $4)
            AND ($5 IS NULL OR (created_at, id) < ($5, $6))
        ORDER BY created_at DESC, id DESC
        LIMIT $7
    )
    UNION ALL
    SELECT own.*
    FROM unnest($2) AS w (id)
    CROSS JOIN LATERAL (
        SELECT r.* FROM alert_rules AS r
        JOIN domains AS d ON d.id = r.domain_id AND d.deleted_at IS NULL
        WHERE r.workspace_id = w.id
            AND ($5 IS NULL OR (r.created_at, r.id) < ($5, $6))
        ORDER BY r.created_at DESC, r.id DESC
        LIMIT $7
    ) AS own
) AS r
JOIN domains AS d ON d.id = r.domain_id
JOIN alert_evaluations AS e ON e.rule_id = r.id
ORDER BY r.created_at DESC, r.id DESC
LIMIT $7
