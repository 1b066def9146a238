INSERT INTO plan_quotas (plan_key, resource, quota_limit) VALUES ('default', 'inspector_urls', 2000);

INSERT INTO users (id, email, name, disabled_at, created_at) VALUES
    ('01900000-0000-7000-8000-000000000001', 'ada@example.org', 'Ada', NULL, '2026-01-02 10:00Z'),
    ('01900000-0000-7000-8000-000000000002', 'Bob@example.org', 'Bob', '2026-01-20 10:00Z', '2026-01-03 10:00Z');

INSERT INTO workspaces (id, name, plan_key, created_at) VALUES
    ('01900000-0000-7000-8000-000000000011', 'Ada''s', 'default', '2026-01-02 10:00Z');

INSERT INTO members (workspace_id, user_id, role, created_at, credit_cap) VALUES
    ('01900000-0000-7000-8000-000000000011', '01900000-0000-7000-8000-000000000001', 'owner', '2026-01-02 10:00Z', NULL),
    ('01900000-0000-7000-8000-000000000011', '01900000-0000-7000-8000-000000000002', 'viewer', '2026-01-03 10:00Z', 500);

INSERT INTO domains (id, workspace_id, hostname, display_name, verified, timezone_hint, created_at, deleted_at) VALUES
    ('01900000-0000-7000-8000-000000000021', '01900000-0000-7000-8000-000000000011', 'ada.example', 'Ada', true,
        'Europe/Vienna', '2026-01-02 11:00Z', NULL),
    ('01900000-0000-7000-8000-000000000022', '01900000-0000-7000-8000-000000000011', 'gone.example', NULL, false,
        NULL, '2026-01-02 11:00Z', '2026-01-05 11:00Z');

INSERT INTO quota_usage (workspace_id, resource, period_start, used) VALUES
    ('01900000-0000-7000-8000-000000000011', 'tracked_urls_crux', '1970-01-01', 12);

INSERT INTO refused_requests (workspace_id, at, request_id, credential_id, operation, problem, about, source) VALUES
    ('01900000-0000-7000-8000-000000000011', '2026-01-04 09:00Z', '01900000-0000-7000-8000-0000000001e1',
        '01900000-0000-7000-8000-000000000201', 'getUptimeStatus', 'insufficient-scope', 'uptime:read', '192.0.2.7');
