-- Locks: SHARE ROW EXCLUSIVE on robots_versions for a moment.

CREATE OR REPLACE FUNCTION record_robots_event() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO metric_events (domain_id, module, metric, at, context)
    VALUES (
        NEW.domain_id, 'robots', 'content_changed', NEW.replaced_at,
        jsonb_build_object('replaced_version_id', NEW.id)
    );
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION record_robots_event () IS 'Another version took the place of this one.';

CREATE OR REPLACE TRIGGER record_robots_changed AFTER UPDATE OF replaced_at ON robots_versions
    FOR EACH ROW WHEN (OLD.replaced_at IS NULL AND NEW.replaced_at IS NOT NULL)
    EXECUTE FUNCTION record_robots_event();
