ALTER TABLE regions DROP COLUMN name, DROP COLUMN continent, DROP COLUMN country;
DELETE FROM uptime_spans WHERE state = 'paused';
ALTER TABLE uptime_spans
    DROP CONSTRAINT uptime_spans_state_check,
    ADD CONSTRAINT uptime_spans_state_check
        CHECK (state IN ('up', 'suspect', 'down', 'maintenance', 'blocked'));
DROP TABLE uptime_incident_events;
ALTER TABLE uptime_incidents
    DROP COLUMN class,
    DROP COLUMN severity,
    DROP COLUMN status_code,
    DROP COLUMN error_message,
    DROP COLUMN resolved_ip,
    DROP COLUMN response_headers,
    DROP COLUMN checks_failed,
    DROP COLUMN during_maintenance;
