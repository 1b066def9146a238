-- Of a live domain, or of each workspace the newest, as far as a page may reach; each read by its index.
SELECT h.id, h.rule_id, h.domain_id, d.hostname, h.workspace_id, w.name AS workspace_name, h.notification_id, h.module,
    h.metric, h.metric_label, h.unit, h.operator, h.threshold, h.comparison_window, h.evaluation_window, h.url,
    h.form_factor, h.search_type, h.value, h.baseline_value, h.change_pct, h.severity, h.title, h.message, h.context,
    h.fired_at, h.resolved_at, h.end_reason,
    (
        SELECT count(*) FROM alert_deliveries AS s
        WHERE s.notification_id = h.notification_id AND s.event = 'raised' AND s.state = 'sent'
    ) AS deliveries
FROM (
    (
        SELECT * FROM alert_history
        WHERE domain_id = $1 AND ($3 IS NULL OR (fired_at, id) < ($3, $4))
        ORDER BY fired_at DESC, id DESC
        LIMIT $5
    )
    UNION ALL
    SELECT own.*
    FROM unnest($2) AS w (id)
    CROSS JOIN LATERAL (
        SELECT h.* FROM alert_history AS h
        JOIN domains AS d ON d.id = h.domain_id AND d.deleted_at IS NULL
        WHERE h.workspace_id = w.id AND ($3 IS NULL OR (h.fired_at, h.id) < ($3, $4))
        ORDER BY h.fired_at DESC, h.id DESC
        LIMIT $5
    ) AS own
) AS h
JOIN domains AS d ON d.id = h.domain_id
JOIN workspaces AS w ON w.id = h.workspace_id
ORDER BY h.fired_at DESC, h.id DESC
LIMIT $5
