-- API keys; apps, what users granted them, and the keys that sign access tokens; passwords, sessions and links of users
-- who sign in to the console.
-- Locks: creates tables only; its references take SHARE ROW EXCLUSIVE on workspaces and users for a moment.

CREATE TABLE api_keys (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    created_by uuid NOT NULL REFERENCES users (id),
    name text NOT NULL CHECK (name <> ''),
    scopes text[] NOT NULL CHECK (cardinality(scopes) > 0 AND array_position(scopes, NULL) IS NULL),
    allowlist text[] CHECK (array_position(allowlist, NULL) IS NULL),
    created_at timestamptz NOT NULL,
    expires_at timestamptz,
    revoked_at timestamptz,
    last_used_at timestamptz
) WITH (fillfactor = 80);
CREATE INDEX api_keys_workspace_id_idx ON api_keys (workspace_id, created_at DESC, id DESC);
CREATE INDEX api_keys_created_by_idx ON api_keys (created_by);
COMMENT ON TABLE api_keys IS 'API keys. The secrets that they authenticate with lie in api_key_secrets.';
COMMENT ON COLUMN api_keys.created_by IS 'The user whose role in the workspace bounds the key.';
COMMENT ON COLUMN api_keys.scopes IS 'The scopes of the key, as granted.';
COMMENT ON COLUMN api_keys.allowlist IS 'Addresses and ranges that it may be used from; null: anywhere.';
COMMENT ON COLUMN api_keys.expires_at IS 'When it ends; null: never.';
COMMENT ON COLUMN api_keys.last_used_at IS 'Written at most once a minute.';

CREATE TABLE api_key_secrets (
    digest bytea PRIMARY KEY CHECK (octet_length(digest) = 32),
    key_id uuid NOT NULL REFERENCES api_keys (id),
    shown text NOT NULL CHECK (length(shown) <= 16),
    created_at timestamptz NOT NULL,
    valid_until timestamptz
);
CREATE INDEX api_key_secrets_key_id_idx ON api_key_secrets (key_id, created_at DESC);
COMMENT ON TABLE api_key_secrets IS 'The secrets of keys: the newest, and those that a rotation left their grace.';
COMMENT ON COLUMN api_key_secrets.digest IS 'SHA-256 of the secret, which itself is stored nowhere.';
COMMENT ON COLUMN api_key_secrets.shown IS 'The first 16 characters, for lists.';
COMMENT ON COLUMN api_key_secrets.valid_until IS 'The end of its grace; null: the present secret.';

CREATE TABLE oauth_clients (
    id uuid PRIMARY KEY,
    name text CHECK (length(name) BETWEEN 1 AND 200),
    redirect_uris text[] NOT NULL CHECK (
        cardinality(redirect_uris) BETWEEN 1 AND 20 AND array_position(redirect_uris, NULL) IS NULL
    ),
    auth_method text NOT NULL CHECK (auth_method IN ('none', 'client_secret_basic', 'client_secret_post')),
    secret_digest bytea CHECK (octet_length(secret_digest) = 32),
    verified_at timestamptz,
    created_at timestamptz NOT NULL,
    granted_at timestamptz,
    CHECK ((auth_method = 'none') = (secret_digest IS NULL))
);
CREATE INDEX oauth_clients_created_at_idx ON oauth_clients (created_at);
COMMENT ON TABLE oauth_clients IS 'Apps. Anybody may register one; those that never get a grant are deleted.';
COMMENT ON COLUMN oauth_clients.name IS 'As the app calls itself; null: it does not say.';
COMMENT ON COLUMN oauth_clients.redirect_uris IS 'Where users may be sent back to, matched by exact string.';
COMMENT ON COLUMN oauth_clients.secret_digest IS 'SHA-256 of the secret, which itself is stored nowhere; null: a public client.';
COMMENT ON COLUMN oauth_clients.verified_at IS 'When an operator said that it is what it says; null: unverified.';
COMMENT ON COLUMN oauth_clients.granted_at IS 'When it first got a grant, which may have left since; null: never.';

CREATE TABLE oauth_grants (
    id uuid PRIMARY KEY,
    client_id uuid NOT NULL REFERENCES oauth_clients (id),
    user_id uuid NOT NULL REFERENCES users (id),
    resource text NOT NULL,
    scopes text[] NOT NULL CHECK (cardinality(scopes) > 0 AND array_position(scopes, NULL) IS NULL),
    workspace_ids uuid[] NOT NULL CHECK (cardinality(workspace_ids) > 0),
    created_at timestamptz NOT NULL,
    revoked_at timestamptz,
    last_used_at timestamptz
) WITH (fillfactor = 80);
CREATE INDEX oauth_grants_client_id_idx ON oauth_grants (client_id);
CREATE INDEX oauth_grants_user_id_idx ON oauth_grants (user_id, created_at DESC);
COMMENT ON TABLE oauth_grants IS 'The grants of users to apps. One whose refresh tokens are all over is deleted.';
COMMENT ON COLUMN oauth_grants.resource IS 'The resource that its tokens are for; chosen at authorization, never again.';
COMMENT ON COLUMN oauth_grants.workspace_ids IS
    'The workspaces that the user ticked, the default first. It reaches those of which the user still is a member.';
COMMENT ON COLUMN oauth_grants.last_used_at IS 'Written at most once a minute.';

CREATE TABLE oauth_decisions (
    request_id uuid PRIMARY KEY,
    lapses_at timestamptz NOT NULL
);
CREATE INDEX oauth_decisions_lapses_at_idx ON oauth_decisions (lapses_at);
COMMENT ON TABLE oauth_decisions IS 'Authorization requests that a user decided on, so that none is decided twice.';
COMMENT ON COLUMN oauth_decisions.lapses_at IS 'When nobody can decide on it any more anyway.';

CREATE TABLE oauth_codes (
    digest bytea PRIMARY KEY CHECK (octet_length(digest) = 32),
    client_id uuid NOT NULL REFERENCES oauth_clients (id),
    user_id uuid NOT NULL REFERENCES users (id),
    redirect_uri text NOT NULL,
    resource text NOT NULL,
    scopes text[] NOT NULL,
    workspace_ids uuid[] NOT NULL,
    code_challenge text NOT NULL,
    expires_at timestamptz NOT NULL,
    grant_id uuid REFERENCES oauth_grants (id)
);
CREATE INDEX oauth_codes_client_id_idx ON oauth_codes (client_id);
CREATE INDEX oauth_codes_user_id_idx ON oauth_codes (user_id);
CREATE INDEX oauth_codes_grant_id_idx ON oauth_codes (grant_id);
CREATE INDEX oauth_codes_expires_at_idx ON oauth_codes (expires_at);
COMMENT ON TABLE oauth_codes IS 'Authorization codes of the last day.';
COMMENT ON COLUMN oauth_codes.digest IS 'SHA-256 of the code, which itself is stored nowhere.';
COMMENT ON COLUMN oauth_codes.grant_id IS 'The grant that it became; null: not used yet.';

CREATE TABLE oauth_refresh_tokens (
    digest bytea PRIMARY KEY CHECK (octet_length(digest) = 32),
    grant_id uuid NOT NULL REFERENCES oauth_grants (id),
    issued_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    superseded_at timestamptz
) WITH (fillfactor = 90);
CREATE INDEX oauth_refresh_tokens_grant_id_idx ON oauth_refresh_tokens (grant_id);
CREATE INDEX oauth_refresh_tokens_expires_at_idx ON oauth_refresh_tokens (expires_at);
COMMENT ON TABLE oauth_refresh_tokens IS 'Refresh tokens, those that were superseded too: one that comes back revokes its grant.';
COMMENT ON COLUMN oauth_refresh_tokens.digest IS 'SHA-256 of the token, which itself is stored nowhere.';
COMMENT ON COLUMN oauth_refresh_tokens.superseded_at IS 'When the next took its place; null: good for one use.';

CREATE TABLE oauth_signing_keys (
    kid text PRIMARY KEY CHECK (kid <> ''),
    private_key bytea NOT NULL,
    signs_from timestamptz NOT NULL,
    created_at timestamptz NOT NULL
);
COMMENT ON TABLE oauth_signing_keys IS 'The keys that sign access tokens, shared by all nodes.';
COMMENT ON COLUMN oauth_signing_keys.kid IS 'The thumbprint of the public half (RFC 7638).';
COMMENT ON COLUMN oauth_signing_keys.private_key IS 'P-256, PKCS #8.';
COMMENT ON COLUMN oauth_signing_keys.signs_from IS 'Published at once, it signs from then on; a younger one takes over.';

CREATE TABLE user_passwords (
    user_id uuid PRIMARY KEY REFERENCES users (id),
    hash text NOT NULL CHECK (hash LIKE '$argon2id$%'),
    changed_at timestamptz NOT NULL
);
COMMENT ON TABLE user_passwords IS 'Passwords of users. Whoever has none can''t sign in to the console.';
COMMENT ON COLUMN user_passwords.hash IS 'argon2id in PHC format, with its parameters and salt.';

CREATE TABLE sessions (
    digest bytea PRIMARY KEY CHECK (octet_length(digest) = 32),
    user_id uuid NOT NULL REFERENCES users (id),
    signed_in_at timestamptz NOT NULL,
    last_used_at timestamptz NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX sessions_user_id_idx ON sessions (user_id);
CREATE INDEX sessions_signed_in_at_idx ON sessions (signed_in_at);
COMMENT ON TABLE sessions IS 'Users who have signed in.';
COMMENT ON COLUMN sessions.digest IS 'SHA-256 of the cookie''s secret, which itself is stored nowhere.';
COMMENT ON COLUMN sessions.last_used_at IS 'Written at most once a minute.';

CREATE TABLE sign_in_links (
    digest bytea PRIMARY KEY CHECK (octet_length(digest) = 32),
    user_id uuid NOT NULL REFERENCES users (id),
    expires_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX sign_in_links_user_id_key ON sign_in_links (user_id);
CREATE INDEX sign_in_links_expires_at_idx ON sign_in_links (expires_at);
COMMENT ON TABLE sign_in_links IS 'Links by which users set a password: one a user, for one use.';
COMMENT ON COLUMN sign_in_links.digest IS 'SHA-256 of the link''s secret, which itself is stored nowhere.';
