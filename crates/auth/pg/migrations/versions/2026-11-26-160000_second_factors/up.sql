-- Second factors of users, their recovery codes, and sign-ins that wait for one of them.
-- Locks: creates tables only; its references take SHARE ROW EXCLUSIVE on users for a moment.

CREATE TABLE second_factors (
    user_id uuid PRIMARY KEY REFERENCES users (id),
    secret bytea NOT NULL,
    made_at timestamptz NOT NULL,
    confirmed_at timestamptz,
    last_step bigint NOT NULL CHECK (last_step >= 0)
);
COMMENT ON TABLE second_factors IS 'Secrets by which the apps of users make codes that go by the time (RFC 6238).';
COMMENT ON COLUMN second_factors.secret IS 'In base32, sealed by the installation''s secret_key.';
COMMENT ON COLUMN second_factors.confirmed_at IS
    'When a first code showed that an app has it, from when on sign-ins ask for codes; null: not yet.';
COMMENT ON COLUMN second_factors.last_step IS
    'The step of the last code that was taken, in 30 seconds since 1970: none up to it is taken again.';

CREATE TABLE recovery_codes (
    digest bytea PRIMARY KEY CHECK (octet_length(digest) = 32),
    user_id uuid NOT NULL REFERENCES users (id)
);
CREATE INDEX recovery_codes_user_id_idx ON recovery_codes (user_id);
COMMENT ON TABLE recovery_codes IS 'Codes that stand in for one of the second factor, once: one that is used is deleted.';
COMMENT ON COLUMN recovery_codes.digest IS 'SHA-256 of the code, which itself is stored nowhere.';

CREATE TABLE pending_sign_ins (
    digest bytea PRIMARY KEY CHECK (octet_length(digest) = 32),
    user_id uuid NOT NULL REFERENCES users (id),
    expires_at timestamptz NOT NULL,
    attempts smallint NOT NULL DEFAULT 0 CHECK (attempts >= 0)
);
CREATE INDEX pending_sign_ins_user_id_idx ON pending_sign_ins (user_id);
CREATE INDEX pending_sign_ins_expires_at_idx ON pending_sign_ins (expires_at);
COMMENT ON TABLE pending_sign_ins IS 'Sign-ins by a right password that wait for the second factor.';
COMMENT ON COLUMN pending_sign_ins.digest IS 'SHA-256 of the cookie''s secret, which itself is stored nowhere.';
COMMENT ON COLUMN pending_sign_ins.attempts IS 'How often a code was tried.';
