-- API keys and the digests of their secrets.
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
COMMENT ON TABLE api_keys IS 'API keys. What they authenticate with lies in api_key_secrets.';
COMMENT ON COLUMN api_keys.created_by IS 'The user whose role in the workspace bounds the key.';
COMMENT ON COLUMN api_keys.scopes IS 'What the key may do, as granted.';
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
