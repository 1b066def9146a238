INSERT INTO report_templates (
    id, domain_id, workspace_id, name, name_key, description, sections, locale, format, default_period, compare_previous,
    branding, schedule, next_run_at, requester_kind, credential_id, created_by, created_at, updated_at
)
SELECT '01900000-0000-7000-8000-0000000001b1', d.id, d.workspace_id, 'Monthly', 'monthly', 'For the owner',
    '{
        "version": 1,
        "sections": [
            {
                "section": "uptime", "enabled": true, "title": null,
                "widgets": [{"widget": "kpi_row", "enabled": true, "title": "Availability", "config": {}}]
            }
        ]
    }',
    'de', 'pdf', 'last_month', true, '{"logo_url": null, "accent_color": "#0a7f5c"}',
    '{
        "enabled": true, "frequency": "monthly", "weekday": null, "day_of_month": 1, "hour": 8,
        "timezone": "Europe/Berlin"
    }',
    '2026-02-01 07:00Z', 'api_key', '01900000-0000-7000-8000-0000000001b2', '01900000-0000-7000-8000-000000000001',
    '2026-01-04 10:00Z', '2026-01-04 10:00Z'
FROM domains AS d
WHERE d.id = '01900000-0000-7000-8000-000000000021';

INSERT INTO runs (
    id, domain_id, kind, status, requested_at, started_at, finished_at, result_seconds, expires_at, requester_kind,
    credential_id, credits_charged
) VALUES
    (
        '01900000-0000-7000-8000-0000000001b3', '01900000-0000-7000-8000-000000000021', 'report', 'succeeded',
        '2026-01-04 10:00Z', '2026-01-04 10:00Z', '2026-01-04 10:01Z', 31536000, '2027-01-04 10:01Z', 'api_key',
        '01900000-0000-7000-8000-0000000001b2', 25
    );

INSERT INTO report_runs (
    run_id, template_id, template_name, trigger, format, period, first_day, last_day, ordered, result, has_result
) VALUES
    (
        '01900000-0000-7000-8000-0000000001b3', '01900000-0000-7000-8000-0000000001b1', 'Monthly', 'api', 'pdf',
        'last_month', '2025-12-01', '2025-12-31',
        '{
            "sections": {"version": 1, "sections": [{"section": "uptime", "enabled": true, "title": null, "widgets": []}]},
            "locale": "de", "branding": {"logo_url": null, "accent_color": null}, "compares": true
        }',
        '{"size_bytes": 4, "pages": 1, "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"}',
        true
    );

INSERT INTO report_recipients (id, template_id, address, address_key, asked_at, asked_until, confirmed_at) VALUES
    (
        '01900000-0000-7000-8000-0000000001b4', '01900000-0000-7000-8000-0000000001b1', 'Client@shop.example',
        'client@shop.example', '2026-01-04 10:00Z', '2026-01-11 10:00Z', '2026-01-04 11:00Z'
    );

INSERT INTO report_questions (id, workspace_id, address_digest, is_refusal, at)
SELECT '01900000-0000-7000-8000-0000000001b5', t.workspace_id, '\x00', false, '2026-01-04 10:00Z'
FROM report_templates AS t
WHERE t.id = '01900000-0000-7000-8000-0000000001b1';

INSERT INTO report_deliveries (id, run_id, recipient_id, state, attempts, created_at, ended_at) VALUES
    (
        '01900000-0000-7000-8000-0000000001b6', '01900000-0000-7000-8000-0000000001b3',
        '01900000-0000-7000-8000-0000000001b4', 'sent', 1, '2026-01-04 10:01Z', '2026-01-04 10:01Z'
    );
