INSERT INTO switches (name, thrown_at) VALUES ('read-only-mode', '2026-01-30 10:00Z');

INSERT INTO audit_log (id, at, actor, action, subject_kind, subject_id, details) VALUES
    ('01900000-0000-7000-8000-000000000101', '2026-01-30 10:00Z', 'cli:ada', 'switch.on', 'switch', 'read-only-mode', '{}');

-- A trigger has opened the balance.
UPDATE credit_balances SET used = 5;

INSERT INTO credit_member_usage (workspace_id, user_id, cycle_start, used) VALUES
    ('01900000-0000-7000-8000-000000000011', '01900000-0000-7000-8000-000000000001', '2026-01-02 00:00Z', 5);

INSERT INTO credit_log (
    workspace_id, occurred_at, request_id, credential_id, domain_id, operation, status, cost, cache
) VALUES
    ('01900000-0000-7000-8000-000000000011', '2026-01-04 09:00Z', '01900000-0000-7000-8000-000000000111',
        '01900000-0000-7000-8000-000000000201', '01900000-0000-7000-8000-000000000021', 'listUptimeChecks', 200, 5, 'miss');

INSERT INTO idempotency_records (credential_id, key, fingerprint, status, body, created_at) VALUES
    ('01900000-0000-7000-8000-000000000201', 'a key', sha256('asked'), 202, '{"data": {}}', '2026-01-04 09:00Z');

INSERT INTO jobs (
    id, kind, lane, payload, state, run_at, leased_until, worker, attempts, max_attempts, last_error, created_at,
    finished_at, workspace_id
) VALUES
    ('01900000-0000-7000-8000-000000000121', 'uptime.check', 'eu', '{"domain": "ada.example"}', 'queued',
        '2026-01-04 09:00Z', NULL, NULL, 0, 5, NULL, '2026-01-04 09:00Z', NULL, '01900000-0000-7000-8000-000000000011'),
    ('01900000-0000-7000-8000-000000000122', 'uptime.check', NULL, '{}', 'dead', '2026-01-04 09:00Z', NULL, NULL, 5, 5,
        'no such domain', '2026-01-04 09:00Z', '2026-01-04 09:10Z', NULL);

INSERT INTO runs (
    id, domain_id, kind, status, requested_at, started_at, finished_at, result_seconds, expires_at, total_items,
    completed_items, failed_items, error_code, error_detail, requester_kind, credential_id, credits_charged
) VALUES
    ('01900000-0000-7000-8000-000000000131', '01900000-0000-7000-8000-000000000021', 'report', 'partial',
        '2026-01-04 09:00Z', '2026-01-04 09:01Z', '2026-01-04 09:02Z', 604800, '2026-01-11 09:02Z', 8, 7, 1,
        'upstream-error', 'The registry answered 500.', 'api_key', '01900000-0000-7000-8000-000000000201', 25);

INSERT INTO shared_secrets (name, value, created_at) VALUES ('cursors', sha256('a secret'), '2026-01-02 10:00Z');

INSERT INTO set_aside (kind, subject, reason, payload, first_at, last_at, times) VALUES
    ('check', '01900000-0000-7000-8000-000000000021 eu', 'a number out of range', '{}', '2026-01-04 09:00Z',
        '2026-01-04 10:00Z', 3);

INSERT INTO metric_events (domain_id, module, metric, at, recorded_at, context) VALUES
    ('01900000-0000-7000-8000-000000000021', 'uptime', 'ssl_certificate_changed', '2026-01-04 10:00Z', '2026-01-04 10:00:01Z',
        '{"replaced_fingerprint": "ab"}');

INSERT INTO upkeep_failures (step, reason, first_at, last_at, times) VALUES
    ('source maps', 'the store can''t be reached', '2026-01-04 09:00Z', '2026-01-04 10:00Z', 2);

INSERT INTO sealing_keys (id, sealed_table, value, seals_from) VALUES
    ('01900000-0000-7000-8000-0000000001d1', 'search_accounts', sha256('the next'), '2026-01-04 10:05Z');
