-- Locks: SHARE ROW EXCLUSIVE on domain_registrations for a moment.

CREATE OR REPLACE FUNCTION record_registration_events() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO metric_events (domain_id, module, metric, at, context)
    SELECT m.domain_id, 'uptime', 'domain_registration_changed', now(), change.value
    FROM uptime_monitors AS m
    JOIN domains AS d ON d.id = m.domain_id AND d.deleted_at IS NULL
    CROSS JOIN jsonb_array_elements(NEW.changes) AS change (value)
    WHERE m.registrable_domain = NEW.name AND NOT OLD.changes @> jsonb_build_array(change.value);
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION record_registration_events () IS
    'A registration changed: an event for each change and each domain that lies below the name.';

CREATE OR REPLACE TRIGGER record_registration_changed AFTER UPDATE OF changes ON domain_registrations
    FOR EACH ROW WHEN (OLD.changes IS DISTINCT FROM NEW.changes)
    EXECUTE FUNCTION record_registration_events();
