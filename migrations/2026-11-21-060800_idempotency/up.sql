-- The answers that Idempotency-Keys were given, and the queue of those who bring the same key.
-- Locks: creates a table and a function only; nothing that exists is touched.

CREATE TABLE idempotency_records (
    credential_id uuid NOT NULL,
    key text NOT NULL,
    fingerprint bytea NOT NULL CHECK (octet_length(fingerprint) = 32),
    status smallint NOT NULL,
    body bytea NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (credential_id, key)
);
CREATE INDEX idempotency_records_created_at_idx ON idempotency_records (created_at);
COMMENT ON TABLE idempotency_records IS
    'What was answered to requests with an Idempotency-Key, written in the transaction of their effect. Holds for 24 hours.';
COMMENT ON COLUMN idempotency_records.key IS 'As the caller chose it; one namespace a credential.';
COMMENT ON COLUMN idempotency_records.fingerprint IS 'SHA-256 over method, path and body: what tells a repeated request from another one.';
COMMENT ON COLUMN idempotency_records.body IS 'The answer''s body, byte for byte.';

CREATE FUNCTION claim_idempotency_key(credential uuid, key text, patience_ms integer) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    usual text := current_setting('lock_timeout');
BEGIN
    PERFORM set_config('lock_timeout', patience_ms::text, true);
    PERFORM pg_advisory_xact_lock(hashtextextended(key, hashtextextended(credential::text, 0)));
    PERFORM set_config('lock_timeout', usual, true);
    RETURN true;
EXCEPTION
    WHEN lock_not_available THEN
        RETURN false;
END
$$;
COMMENT ON FUNCTION claim_idempotency_key (uuid, text, integer) IS
    'Makes the transaction the only one that serves the key, once those before it have ended. False: they did not within that many milliseconds.';
