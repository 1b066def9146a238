-- An alert of alert_history AS h, with its domain AS d and its workspace AS w; what it is read from follows.
SELECT h.id, h.rule_id, h.domain_id, d.hostname, h.workspace_id, w.name AS workspace_name, h.notification_id, h.module,
    h.metric, h.metric_label, h.unit, h.operator, h.threshold, h.comparison_window, h.evaluation_window, h.url,
    h.form_factor, h.search_type, h.value, h.baseline_value, h.change_pct, h.severity, h.title, h.message, h.context,
    h.fired_at, h.resolved_at, h.end_reason,
    (
        SELECT count(*) FROM alert_deliveries AS s
        WHERE s.notification_id = h.notification_id AND s.event = 'raised' AND s.state = 'sent'
    ) AS deliveries
