INSERT INTO alert_rules (
    id, domain_id, workspace_id, name, module, metric, operator, threshold, comparison_window, evaluation_window, min_sample,
    url, form_factor, search_type, severity, enabled, cooldown_minutes, created_at, updated_at, created_by
) VALUES
    (
        '01900000-0000-7000-8000-000000000081', '01900000-0000-7000-8000-000000000021',
        '01900000-0000-7000-8000-000000000011', 'Slow', 'uptime', 'response_ms', 'pct_increase', 20, 'previous_day', '1h', 10,
        NULL, NULL, NULL, 'warning', true, 120, '2026-01-03 10:00Z', '2026-01-03 11:00Z',
        '01900000-0000-7000-8000-000000000001'
    );

INSERT INTO alert_evaluations (
    rule_id, domain_id, workspace_id, next_evaluation_at, leased_until, state, last_value, last_evaluated_at, last_fired_at,
    is_open
) VALUES
    (
        '01900000-0000-7000-8000-000000000081', '01900000-0000-7000-8000-000000000021',
        '01900000-0000-7000-8000-000000000011', '2026-01-04 10:01Z', '2026-01-04 10:02Z', 'firing', 240, '2026-01-04 10:00Z',
        '2026-01-04 09:00Z', true
    );

INSERT INTO alert_pending_events (rule_id, at, context) VALUES
    ('01900000-0000-7000-8000-000000000081', '2026-01-04 10:00Z', '{}');

INSERT INTO alert_wakes (domain_id) VALUES ('01900000-0000-7000-8000-000000000021');

INSERT INTO notifications (
    id, workspace_id, domain_id, kind, severity, module, title, body, data, alert_id, resource_path, created_at, resolved_at
) VALUES
    (
        '01900000-0000-7000-8000-000000000083', '01900000-0000-7000-8000-000000000011',
        '01900000-0000-7000-8000-000000000021', 'alert', 'warning', 'uptime', 'ada.example: Response time is up 20 % to 240 ms',
        'The response time over the last hour is 240 ms.', '{"value": 240}', '01900000-0000-7000-8000-000000000082',
        '/alerts/history/01900000-0000-7000-8000-000000000082', '2026-01-04 09:00Z', NULL
    );

INSERT INTO notification_reads (user_id, notification_id, read_at) VALUES
    ('01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-000000000083', '2026-01-04 09:30Z');

INSERT INTO notification_read_marks (user_id, domain_id, kind, read_before, read_at) VALUES
    (
        '01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-000000000021', 'alert', '2026-01-04 08:50Z',
        '2026-01-04 09:00Z'
    );

INSERT INTO alert_history (
    id, rule_id, domain_id, workspace_id, notification_id, module, metric, metric_label, unit, operator, threshold,
    comparison_window, evaluation_window, url, form_factor, search_type, value, baseline_value, change_pct, severity, title,
    message, context, fired_at, resolved_at, end_reason
) VALUES
    (
        '01900000-0000-7000-8000-000000000082', '01900000-0000-7000-8000-000000000081',
        '01900000-0000-7000-8000-000000000021', '01900000-0000-7000-8000-000000000011',
        '01900000-0000-7000-8000-000000000083', 'uptime', 'response_ms', 'Response time', 'ms', 'pct_increase', 20,
        'previous_day', '1h', NULL, NULL, NULL, 240, 200, 20, 'warning', 'ada.example: Response time is up 20 % to 240 ms',
        'The response time over the last hour is 240 ms.', '{}', '2026-01-04 09:00Z', NULL, NULL
    );

INSERT INTO alert_channels (
    id, workspace_id, domain_id, name, target, min_severity, modules, quiet_hours, off_reason, failing_since,
    failure_told_at, next_send_at, unsubscribe_token, created_at, updated_at
) VALUES
    (
        '01900000-0000-7000-8000-000000000084', '01900000-0000-7000-8000-000000000011',
        '01900000-0000-7000-8000-000000000021', 'On call', '{"kind": "email", "to": "on-call@ada.example"}', 'warning',
        '{uptime}', '22:00-07:00 Europe/Berlin', NULL, '2026-01-04 09:00Z', NULL, '2026-01-04 09:05Z',
        '01900000-0000-4000-8000-000000000085', '2026-01-03 10:00Z', '2026-01-03 11:00Z'
    );

INSERT INTO alert_deliveries (
    id, channel_id, notification_id, event, state, taken_until, attempts, last_error, created_at, ended_at
) VALUES
    (
        '01900000-0000-7000-8000-000000000086', '01900000-0000-7000-8000-000000000084',
        '01900000-0000-7000-8000-000000000083', 'raised', 'sent', NULL, 2, 'the mail server answered 421',
        '2026-01-04 09:00Z', '2026-01-04 09:01Z'
    );
