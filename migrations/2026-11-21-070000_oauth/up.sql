-- Apps, what users granted them, and the keys that sign access tokens.
-- Locks: creates tables only; its references take SHARE ROW EXCLUSIVE on users and workspaces for a moment.

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
    CHECK ((auth_method = 'none') = (secret_digest IS NULL))
);
CREATE INDEX oauth_clients_created_at_idx ON oauth_clients (created_at);
COMMENT ON TABLE oauth_clients IS 'Apps. Anybody may register one; those that never get a grant are deleted.';
COMMENT ON COLUMN oauth_clients.name IS 'As the app calls itself; null: it does not say.';
COMMENT ON COLUMN oauth_clients.redirect_uris IS 'Where users may be sent back to, matched by exact string.';
COMMENT ON COLUMN oauth_clients.secret_digest IS 'SHA-256 of the secret, which itself is stored nowhere; null: a public client.';
COMMENT ON COLUMN oauth_clients.verified_at IS 'When an operator said that it is what it says; null: unverified.';

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
COMMENT ON TABLE oauth_grants IS 'What users granted to apps.';
COMMENT ON COLUMN oauth_grants.resource IS 'What its tokens are for; chosen at authorization, never again.';
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

-- A new grant changes nothing that is kept in memory; only what ends one does.
CREATE TRIGGER notify_change AFTER DELETE OR TRUNCATE OR UPDATE OF revoked_at
    ON oauth_grants FOR EACH STATEMENT EXECUTE FUNCTION notify_change();
CREATE TRIGGER notify_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE
    ON oauth_signing_keys FOR EACH STATEMENT EXECUTE FUNCTION notify_change();
