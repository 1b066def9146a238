-- Locks: SHARE ROW EXCLUSIVE on uptime_certificate_history for a moment.

CREATE OR REPLACE FUNCTION record_certificate_event() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO metric_events (domain_id, module, metric, at, context)
    VALUES (
        NEW.domain_id, 'uptime', 'ssl_certificate_changed', NEW.replaced_at,
        jsonb_build_object('replaced_fingerprint', NEW.fingerprint)
    );
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION record_certificate_event () IS 'Another certificate took the place of this one.';

CREATE OR REPLACE TRIGGER record_certificate_changed AFTER UPDATE OF replaced_at ON uptime_certificate_history
    FOR EACH ROW WHEN (OLD.replaced_at IS NULL AND NEW.replaced_at IS NOT NULL)
    EXECUTE FUNCTION record_certificate_event();
