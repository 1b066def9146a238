-- The keys after the first that seal secrets in rows, so that keys can be rotated. The first of a table is its shared secret.
-- Locks: creates a table only.

CREATE TABLE sealing_keys (
    id uuid PRIMARY KEY,
    sealed_table text NOT NULL CHECK (sealed_table <> ''),
    value bytea NOT NULL CHECK (octet_length(value) = 32),
    seals_from timestamptz NOT NULL,
    UNIQUE (sealed_table, seals_from)
);
COMMENT ON TABLE sealing_keys IS
    'The keys that seal the secrets in rows of a table, but for its first, which is the shared secret of the table''s name.';
COMMENT ON COLUMN sealing_keys.id IS 'Stands in what the key has sealed: one byte for the form, 2, the id, 12 of the nonce, then AES-256-GCM.';
COMMENT ON COLUMN sealing_keys.sealed_table IS 'The table.';
COMMENT ON COLUMN sealing_keys.value IS '256 random bits.';
COMMENT ON COLUMN sealing_keys.seals_from IS 'Opened by at once, it seals from then on; a younger one takes over.';
