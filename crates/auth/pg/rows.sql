INSERT INTO api_keys (
    id, workspace_id, created_by, name, scopes, allowlist, created_at, expires_at, revoked_at, last_used_at
) VALUES
    ('01900000-0000-7000-8000-000000000201', '01900000-0000-7000-8000-000000000011',
        '01900000-0000-7000-8000-000000000001', 'ci', '{read:uptime}', '{192.0.2.0/24}', '2026-01-02 12:00Z', NULL, NULL,
        '2026-01-04 09:00Z');

INSERT INTO api_key_secrets (digest, key_id, shown, created_at, valid_until) VALUES
    (sha256('a key'), '01900000-0000-7000-8000-000000000201', 'svc_dev_abcdefgh', '2026-01-02 12:00Z', NULL);

INSERT INTO oauth_clients (
    id, name, redirect_uris, auth_method, secret_digest, verified_at, created_at, granted_at
) VALUES
    ('01900000-0000-7000-8000-000000000211', 'An app', '{https://app.example/callback}', 'client_secret_basic',
        sha256('a client'), '2026-01-03 12:00Z', '2026-01-02 12:00Z', '2026-01-04 12:00Z');

INSERT INTO oauth_grants (
    id, client_id, user_id, resource, scopes, workspace_ids, created_at, revoked_at, last_used_at
) VALUES
    ('01900000-0000-7000-8000-000000000221', '01900000-0000-7000-8000-000000000211',
        '01900000-0000-7000-8000-000000000001', 'https://api.example', '{read:uptime}',
        '{01900000-0000-7000-8000-000000000011}', '2026-01-04 12:00Z', NULL, '2026-01-04 13:00Z');

INSERT INTO oauth_decisions (request_id, lapses_at) VALUES
    ('01900000-0000-7000-8000-000000000231', '2026-01-04 12:10Z');

INSERT INTO oauth_codes (
    digest, client_id, user_id, redirect_uri, resource, scopes, workspace_ids, code_challenge, expires_at, grant_id
) VALUES
    (sha256('a code'), '01900000-0000-7000-8000-000000000211', '01900000-0000-7000-8000-000000000001',
        'https://app.example/callback', 'https://api.example', '{read:uptime}',
        '{01900000-0000-7000-8000-000000000011}', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', '2026-01-04 12:01Z',
        '01900000-0000-7000-8000-000000000221');

INSERT INTO oauth_refresh_tokens (digest, grant_id, issued_at, expires_at, superseded_at) VALUES
    (sha256('a token'), '01900000-0000-7000-8000-000000000221', '2026-01-04 12:00Z', '2026-02-03 12:00Z',
        '2026-01-04 13:00Z'),
    (sha256('the next token'), '01900000-0000-7000-8000-000000000221', '2026-01-04 13:00Z', '2026-02-03 13:00Z', NULL);

INSERT INTO oauth_signing_keys (kid, private_key, signs_from, created_at) VALUES
    ('NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs', 'no key', '2026-01-02 10:10Z', '2026-01-02 10:00Z');

INSERT INTO user_passwords (user_id, hash, changed_at) VALUES
    ('01900000-0000-7000-8000-000000000001', '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$bm8gaGFzaA', '2026-01-02 10:05Z');

INSERT INTO sessions (digest, user_id, signed_in_at, last_used_at) VALUES
    (sha256('a session'), '01900000-0000-7000-8000-000000000001', '2026-01-04 11:59Z', '2026-01-04 12:30Z');

INSERT INTO sign_in_links (digest, user_id, expires_at) VALUES
    (sha256('a link'), '01900000-0000-7000-8000-000000000002', '2026-01-04 10:00Z');

INSERT INTO second_factors (user_id, secret, made_at, confirmed_at, last_step, begun_by) VALUES
    ('01900000-0000-7000-8000-000000000001', 'sealed', '2026-01-03 09:00Z', '2026-01-03 09:01Z', 58914182,
        sha256('a session'));

INSERT INTO recovery_codes (digest, user_id) VALUES
    (sha256('a recovery code'), '01900000-0000-7000-8000-000000000001');

INSERT INTO pending_sign_ins (digest, user_id, expires_at, attempts) VALUES
    (sha256('a pending sign-in'), '01900000-0000-7000-8000-000000000001', '2026-01-04 12:10Z', 1);
