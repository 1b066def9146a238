-- Passwords, sessions and links of users who sign in to the console.
-- Locks: creates tables only; its references take SHARE ROW EXCLUSIVE on users for a moment.

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
