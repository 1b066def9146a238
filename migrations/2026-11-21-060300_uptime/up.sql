-- Monitors, their schedule, and what checks found.
-- Locks: creates tables only; its references take SHARE ROW EXCLUSIVE on domains and users for a moment.

CREATE TABLE regions (
    key text PRIMARY KEY CHECK (key <> ''),
    registered_at timestamptz NOT NULL
);
COMMENT ON TABLE regions IS 'Where checks can run from. A worker registers its region when it starts.';

CREATE TABLE uptime_monitors (
    domain_id uuid PRIMARY KEY REFERENCES domains (id),
    settings jsonb NOT NULL,
    enabled boolean NOT NULL GENERATED ALWAYS AS ((settings -> 'enabled')::boolean) STORED,
    interval_seconds integer NOT NULL
        GENERATED ALWAYS AS ((settings -> 'interval_seconds')::integer) STORED
        CHECK (interval_seconds > 0),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    updated_by uuid REFERENCES users (id)
);
CREATE INDEX uptime_monitors_updated_by_idx ON uptime_monitors (updated_by);
COMMENT ON TABLE uptime_monitors IS 'The uptime monitor of a domain.';
COMMENT ON COLUMN uptime_monitors.settings IS 'All settings. The headers among them may hold credentials of the site.';
COMMENT ON COLUMN uptime_monitors.enabled IS 'Read out of the settings.';
COMMENT ON COLUMN uptime_monitors.interval_seconds IS 'Read out of the settings.';
COMMENT ON COLUMN uptime_monitors.updated_by IS 'Who changed the settings last; null: Pharos itself.';

CREATE TABLE uptime_schedules (
    domain_id uuid NOT NULL REFERENCES uptime_monitors (domain_id),
    region text NOT NULL,
    next_check_at timestamptz NOT NULL,
    leased_until timestamptz,
    PRIMARY KEY (domain_id, region)
) WITH (fillfactor = 70);
CREATE INDEX uptime_schedules_due_idx ON uptime_schedules (region, next_check_at);
CREATE INDEX uptime_schedules_leased_idx ON uptime_schedules (region, leased_until)
    WHERE leased_until IS NOT NULL;
COMMENT ON TABLE uptime_schedules IS
    'When each region checks a site next. Only enabled monitors of domains that are not deleted have rows.';
COMMENT ON COLUMN uptime_schedules.leased_until IS
    'Until then one worker alone has the check; a worker that dies loses it then. Null: nobody has.';

CREATE TABLE uptime_region_states (
    domain_id uuid NOT NULL REFERENCES domains (id),
    region text NOT NULL,
    state jsonb NOT NULL,
    PRIMARY KEY (domain_id, region)
) WITH (fillfactor = 70);
COMMENT ON TABLE uptime_region_states IS 'What each region knows of a site after its last check.';
COMMENT ON COLUMN uptime_region_states.state IS 'Counters, last outcome, since when; changed by each check.';

CREATE TABLE uptime_spans (
    domain_id uuid NOT NULL REFERENCES domains (id),
    region text NOT NULL,
    state text NOT NULL CHECK (state IN ('up', 'suspect', 'down', 'maintenance', 'blocked')),
    started_at timestamptz NOT NULL,
    ended_at timestamptz NOT NULL,
    PRIMARY KEY (domain_id, region, started_at),
    CHECK (started_at < ended_at)
) WITH (fillfactor = 90);
COMMENT ON TABLE uptime_spans IS
    'Time in one state, seen from one region. Spans of a region never overlap; neighbours of one state are one span.';
COMMENT ON COLUMN uptime_spans.state IS 'suspect becomes down when the outage is confirmed, and counts as up until then.';

CREATE TABLE uptime_incidents (
    id uuid PRIMARY KEY,
    domain_id uuid NOT NULL REFERENCES domains (id),
    started_at timestamptz NOT NULL,
    confirmed_at timestamptz NOT NULL,
    resolved_at timestamptz,
    CHECK (started_at <= confirmed_at),
    CHECK (confirmed_at <= resolved_at)
);
CREATE UNIQUE INDEX uptime_incidents_open_key ON uptime_incidents (domain_id) WHERE resolved_at IS NULL;
CREATE INDEX uptime_incidents_domain_id_idx ON uptime_incidents (domain_id, started_at DESC, id DESC);
COMMENT ON TABLE uptime_incidents IS 'Outages: while more than half of the regions see the site down. At most one is open for a domain.';
COMMENT ON COLUMN uptime_incidents.started_at IS 'The first failing check of the region that made it an outage.';
COMMENT ON COLUMN uptime_incidents.confirmed_at IS 'The check that confirmed it.';
COMMENT ON COLUMN uptime_incidents.resolved_at IS 'The check that ended it; null: still open.';
