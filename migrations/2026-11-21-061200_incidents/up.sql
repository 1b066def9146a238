-- What is kept of an incident besides its times, its course, and what regions are called.
-- Locks: ACCESS EXCLUSIVE on uptime_incidents, uptime_spans and regions for a moment; uptime_spans is read once.

ALTER TABLE uptime_incidents
    ADD COLUMN class text NOT NULL DEFAULT 'unknown',
    ADD COLUMN severity text NOT NULL DEFAULT 'outage' CHECK (severity IN ('outage', 'degraded')),
    ADD COLUMN status_code integer,
    ADD COLUMN error_message text,
    ADD COLUMN resolved_ip inet,
    ADD COLUMN response_headers jsonb NOT NULL DEFAULT '{}',
    ADD COLUMN checks_failed integer NOT NULL DEFAULT 0 CHECK (checks_failed >= 0),
    ADD COLUMN during_maintenance boolean NOT NULL DEFAULT false;
ALTER TABLE uptime_incidents
    ALTER COLUMN class DROP DEFAULT,
    ALTER COLUMN severity DROP DEFAULT,
    ALTER COLUMN response_headers DROP DEFAULT,
    ALTER COLUMN checks_failed DROP DEFAULT,
    ALTER COLUMN during_maintenance DROP DEFAULT;
COMMENT ON COLUMN uptime_incidents.resolved_at IS 'The first passing check of those that ended it; null: still open.';
COMMENT ON COLUMN uptime_incidents.class IS 'Of the first failing check. A list that grows with the prober; so no CHECK.';
COMMENT ON COLUMN uptime_incidents.severity IS 'degraded: the site refused the prober alone, which is no downtime.';
COMMENT ON COLUMN uptime_incidents.status_code IS 'Of the first failing check.';
COMMENT ON COLUMN uptime_incidents.error_message IS 'Of the first failing check.';
COMMENT ON COLUMN uptime_incidents.resolved_ip IS 'The address that the first failing check connected to.';
COMMENT ON COLUMN uptime_incidents.response_headers IS 'Of the first failing answer, those that tell who answered.';
COMMENT ON COLUMN uptime_incidents.checks_failed IS 'In its course, those before its confirmation included.';
COMMENT ON COLUMN uptime_incidents.during_maintenance IS 'Whether a check failed within a maintenance window meanwhile.';

CREATE TABLE uptime_incident_events (
    incident_id uuid NOT NULL REFERENCES uptime_incidents (id) ON DELETE CASCADE,
    number bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    at timestamptz NOT NULL,
    event text NOT NULL
        CHECK (event IN ('first_failure', 'confirmed', 'region_added', 'region_recovered', 'recovered')),
    region text,
    detail text,
    PRIMARY KEY (incident_id, number)
);
COMMENT ON TABLE uptime_incident_events IS 'The course of each incident.';
COMMENT ON COLUMN uptime_incident_events.number IS 'The order in which it was learned.';
COMMENT ON COLUMN uptime_incident_events.region IS 'Where it was seen. Those of first_failure and region_added are the regions affected.';

ALTER TABLE uptime_spans
    DROP CONSTRAINT uptime_spans_state_check,
    ADD CONSTRAINT uptime_spans_state_check
        CHECK (state IN ('up', 'suspect', 'down', 'maintenance', 'blocked', 'paused'));

ALTER TABLE regions
    ADD COLUMN name text,
    ADD COLUMN continent text,
    ADD COLUMN country text CHECK (country ~ '^[A-Z]{2}$');
COMMENT ON COLUMN regions.name IS 'What people call it; null: as its key.';
COMMENT ON COLUMN regions.continent IS 'Where it is; null: not said.';
COMMENT ON COLUMN regions.country IS 'ISO 3166-1 alpha-2; null: not said.';
