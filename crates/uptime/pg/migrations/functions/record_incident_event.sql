-- Locks: SHARE ROW EXCLUSIVE on uptime_incidents for a moment.

CREATE OR REPLACE FUNCTION record_incident_event() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO metric_events (domain_id, module, metric, at, context)
    VALUES (
        NEW.domain_id, 'uptime', 'incident_changed', coalesce(NEW.resolved_at, NEW.confirmed_at),
        jsonb_build_object('incident_id', NEW.id)
    );
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION record_incident_event () IS
    'An incident began or ended: no metric counts it, and the rules of its domain are evaluated at once.';

CREATE OR REPLACE TRIGGER record_incident_began AFTER INSERT ON uptime_incidents
    FOR EACH ROW EXECUTE FUNCTION record_incident_event();
CREATE OR REPLACE TRIGGER record_incident_ended AFTER UPDATE OF resolved_at ON uptime_incidents
    FOR EACH ROW WHEN (OLD.resolved_at IS NULL AND NEW.resolved_at IS NOT NULL)
    EXECUTE FUNCTION record_incident_event();
