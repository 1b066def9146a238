CREATE OR REPLACE FUNCTION claim_idempotency_key(credential uuid, key text, patience_ms integer) RETURNS boolean
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
