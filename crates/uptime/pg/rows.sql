INSERT INTO regions (key, registered_at, name, continent, country) VALUES
    ('eu', '2026-01-02 10:00Z', 'Frankfurt', 'Europe', 'DE');

INSERT INTO domain_registrations (
    name, next_check_at, leased_until, asked_at, failures, last_failure, answer, answered_at, changes
) VALUES
    ('ada.example', '2026-01-05 10:00Z', NULL, '2026-01-04 10:00Z', 0, NULL, '{"registrar": "A registrar"}',
        '2026-01-04 10:00Z', '[]');

INSERT INTO uptime_monitors (domain_id, settings, created_at, updated_at, updated_by, registrable_domain) VALUES
    (
        '01900000-0000-7000-8000-000000000021',
        '{
            "enabled": true, "url": "https://ada.example/", "method": "GET", "interval_seconds": 60,
            "timeout_seconds": 30, "expected_status_codes": ["2xx", "3xx"], "follow_redirects": true, "keyword": null,
            "keyword_mode": null, "regions": ["eu"], "confirmation_checks": 2, "recovery_checks": 2,
            "degraded_above_ms": null, "verify_tls": true, "ssl_warn_days": [30, 7], "domain_warn_days": [30, 7],
            "sla_target_pct": 99.9, "maintenance_windows": [], "request_headers": {}
        }',
        '2026-01-02 11:00Z', '2026-01-03 11:00Z', '01900000-0000-7000-8000-000000000001', 'ada.example'
    );

INSERT INTO uptime_schedules (domain_id, region, next_check_at, leased_until, workspace_id) VALUES
    ('01900000-0000-7000-8000-000000000021', 'eu', '2026-01-04 10:01Z', '2026-01-04 10:02Z',
        '01900000-0000-7000-8000-000000000011');

INSERT INTO uptime_region_states (domain_id, region, state) VALUES
    (
        '01900000-0000-7000-8000-000000000021', 'eu',
        '{
            "is_down": false, "since": "2026-01-04T09:10:00Z", "failing": null, "passing_since": "2026-01-04T09:10:00Z",
            "paused_at": null, "consecutive_failures": 0, "consecutive_passes": 50, "consecutive_forbidden": 0,
            "last_success_at": "2026-01-04T10:00:00Z", "last_check_at": "2026-01-04T10:00:00Z", "holds_until": null
        }'
    );

INSERT INTO uptime_checks (
    id, domain_id, region, checked_at, outcome, run_id, status_code, http_version, response_ms, dns_ms, connect_ms,
    tls_ms, ttfb_ms, download_ms, redirect_count, final_url, response_bytes, ip_address, error_class, error_message,
    keyword_matched, retry_index
) VALUES
    ('01900000-0000-7000-8000-000000000301', '01900000-0000-7000-8000-000000000021', 'eu', '2026-01-04 09:00Z', 'down',
        '01900000-0000-7000-8000-000000000302', 503, '1.1', NULL, 1.5, 10.25, 20, NULL, NULL, 0, 'https://ada.example/',
        512, '192.0.2.1', 'http_status', '503 is not expected', NULL, 1),
    ('01900000-0000-7000-8000-000000000303', '01900000-0000-7000-8000-000000000021', 'eu', '2026-01-04 10:00Z', 'up',
        NULL, 200, '2', 120.5, 1.5, 10.25, 20, 80, 8.75, 0, 'https://ada.example/', 2048, '2001:db8::1', NULL, NULL, true,
        0);

INSERT INTO uptime_spans (domain_id, region, state, started_at, ended_at) VALUES
    ('01900000-0000-7000-8000-000000000021', 'eu', 'down', '2026-01-04 09:00Z', '2026-01-04 09:10Z'),
    ('01900000-0000-7000-8000-000000000021', 'eu', 'up', '2026-01-04 09:10Z', '2026-01-04 10:00Z');

INSERT INTO uptime_incidents (
    id, domain_id, started_at, confirmed_at, resolved_at, class, severity, status_code, error_message, resolved_ip,
    response_headers, checks_failed, during_maintenance
) VALUES
    ('01900000-0000-7000-8000-000000000311', '01900000-0000-7000-8000-000000000021', '2026-01-04 09:00Z',
        '2026-01-04 09:00:10Z', '2026-01-04 09:10Z', 'http_status', 'outage', 503, '503 is not expected', '192.0.2.1',
        '{"server": "nginx"}', 11, false);

INSERT INTO uptime_incident_events (incident_id, at, event, region, detail) VALUES
    ('01900000-0000-7000-8000-000000000311', '2026-01-04 09:00Z', 'first_failure', 'eu', '503 is not expected'),
    ('01900000-0000-7000-8000-000000000311', '2026-01-04 09:10Z', 'recovered', NULL, NULL);

INSERT INTO uptime_certificates (domain_id, digest, checked_at, sighting) VALUES
    ('01900000-0000-7000-8000-000000000021', sha256('a sighting'), '2026-01-04 10:00Z',
        '{"host": "ada.example", "port": 443, "encounter": "plain"}');

INSERT INTO uptime_certificate_history (
    domain_id, fingerprint, first_seen_at, last_seen_at, replaced_at, issuer_common_name, valid_from, valid_until,
    names_count
) VALUES
    ('01900000-0000-7000-8000-000000000021', encode(sha256('a certificate'), 'hex'), '2026-01-02 11:00Z',
        '2026-01-04 10:00Z', NULL, 'An authority', '2026-01-01 00:00Z', '2026-04-01 00:00Z', 2);

INSERT INTO uptime_rollups (domain_id, grain, starts_at, region, counts, least_us, most_us, samples, micros) VALUES
    ('01900000-0000-7000-8000-000000000021', 'day', '2026-01-03 00:00Z', 'eu', '{2,2,0,0}', 100000, 120500,
        '{2,2,2,2,2,2}', '{220500,3000,20500,40000,160000,17500}');

INSERT INTO uptime_distributions (domain_id, grain, measure, starts_at, region, times) VALUES
    ('01900000-0000-7000-8000-000000000021', 'day', 'response', '2026-01-03 00:00Z', 'eu', '\xa08d060188a40101');

INSERT INTO uptime_rollup_progress (domain_id, rolled_until) VALUES
    ('01900000-0000-7000-8000-000000000021', '2026-01-04 00:00Z');

INSERT INTO status_pages (id, workspace_id, slug, title, created_at) VALUES
    ('01900000-0000-7000-8000-0000000000f1', '01900000-0000-7000-8000-000000000011', 'adas', 'Ada''s status',
        '2026-01-03 10:00Z');

INSERT INTO status_page_sites (page_id, domain_id, position) VALUES
    ('01900000-0000-7000-8000-0000000000f1', '01900000-0000-7000-8000-000000000021', 1);
