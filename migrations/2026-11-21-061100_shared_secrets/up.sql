-- Secrets that all nodes of an installation share.
-- Locks: creates a table only; nothing that exists is touched.

CREATE TABLE shared_secrets (
    name text PRIMARY KEY CHECK (name <> ''),
    value bytea NOT NULL CHECK (octet_length(value) = 32),
    created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE shared_secrets IS 'Random secrets that all nodes of an installation share, made by the first that asks.';
COMMENT ON COLUMN shared_secrets.name IS 'What the secret is for.';
COMMENT ON COLUMN shared_secrets.value IS '256 random bits.';
