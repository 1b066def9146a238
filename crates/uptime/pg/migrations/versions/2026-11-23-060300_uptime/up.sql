-- Regions, monitors and their schedule; what checks found, and what it comes to; incidents, certificates, registrations.
-- Locks: creates tables only; its references take SHARE ROW EXCLUSIVE on domains and users for a moment.

CREATE TABLE regions (
    key text PRIMARY KEY CHECK (key <> ''),
    registered_at timestamptz NOT NULL,
    name text,
    continent text,
    country text CHECK (country ~ '^[A-Z]{2}$')
);
COMMENT ON TABLE regions IS 'Where checks can run from. A worker registers its region when it starts.';
COMMENT ON COLUMN regions.name IS 'The name that people call it by; null: as its key.';
COMMENT ON COLUMN regions.continent IS 'Where it is; null: not said.';
COMMENT ON COLUMN regions.country IS 'ISO 3166-1 alpha-2; null: not said.';

CREATE TABLE domain_registrations (
    name text PRIMARY KEY CHECK (name <> ''),
    next_check_at timestamptz NOT NULL,
    leased_until timestamptz,
    asked_at timestamptz,
    failures integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
    last_failure text,
    answer jsonb,
    answered_at timestamptz,
    changes jsonb NOT NULL DEFAULT '[]',
    CHECK ((answer IS NULL) = (answered_at IS NULL))
);
CREATE INDEX domain_registrations_due_idx ON domain_registrations (next_check_at);
COMMENT ON TABLE domain_registrations IS
    'The registered names, as far as they are known. All domains below a name share its row. Nothing is kept of registrants.';
COMMENT ON COLUMN domain_registrations.leased_until IS
    'Until then one node alone asks, and this moment is its claim; a node that dies loses it then. Null: nobody asks.';
COMMENT ON COLUMN domain_registrations.asked_at IS 'When asking last ended, however it did; null: never.';
COMMENT ON COLUMN domain_registrations.failures IS 'How often in a row asking failed.';
COMMENT ON COLUMN domain_registrations.last_failure IS 'Why it failed last; null: it did not.';
COMMENT ON COLUMN domain_registrations.answer IS
    'The part of the last good answer that is kept; null: there was none, or there is no RDAP service.';
COMMENT ON COLUMN domain_registrations.answered_at IS 'When that came.';
COMMENT ON COLUMN domain_registrations.changes IS 'The changes from answer to answer: the last 20, the newest first.';

CREATE TABLE uptime_monitors (
    domain_id uuid PRIMARY KEY REFERENCES domains (id),
    settings jsonb NOT NULL,
    enabled boolean NOT NULL GENERATED ALWAYS AS ((settings -> 'enabled')::boolean) STORED,
    interval_seconds integer NOT NULL
        GENERATED ALWAYS AS ((settings -> 'interval_seconds')::integer) STORED
        CHECK (interval_seconds > 0),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    updated_by uuid REFERENCES users (id),
    registrable_domain text REFERENCES domain_registrations (name)
);
CREATE INDEX uptime_monitors_updated_by_idx ON uptime_monitors (updated_by);
CREATE INDEX uptime_monitors_registrable_domain_idx ON uptime_monitors (registrable_domain);
COMMENT ON TABLE uptime_monitors IS 'The uptime monitor of a domain.';
COMMENT ON COLUMN uptime_monitors.settings IS 'All settings. The headers among them may hold credentials of the site.';
COMMENT ON COLUMN uptime_monitors.enabled IS 'Read out of the settings.';
COMMENT ON COLUMN uptime_monitors.interval_seconds IS 'Read out of the settings.';
COMMENT ON COLUMN uptime_monitors.updated_by IS 'Who changed the settings last; null: Pharos itself.';
COMMENT ON COLUMN uptime_monitors.registrable_domain IS
    'The registered name that the domain lies below, by the public suffix list; null: not found out yet.';

CREATE TABLE uptime_schedules (
    domain_id uuid NOT NULL REFERENCES uptime_monitors (domain_id),
    region text NOT NULL,
    next_check_at timestamptz NOT NULL,
    leased_until timestamptz,
    workspace_id uuid NOT NULL,
    PRIMARY KEY (domain_id, region)
) WITH (fillfactor = 70);
CREATE INDEX uptime_schedules_due_idx ON uptime_schedules (region, next_check_at);
CREATE INDEX uptime_schedules_leased_idx ON uptime_schedules (region, leased_until)
    WHERE leased_until IS NOT NULL;
CREATE INDEX uptime_schedules_turns_idx ON uptime_schedules (region, workspace_id, next_check_at);
COMMENT ON TABLE uptime_schedules IS
    'When each region checks a site next. Only enabled monitors of domains that are not deleted have rows.';
COMMENT ON COLUMN uptime_schedules.leased_until IS
    'Until then one worker alone has the check; a worker that dies loses it then. Null: nobody has.';
COMMENT ON COLUMN uptime_schedules.workspace_id IS
    'The domain''s, which never changes; a trigger reads it. Claims share what is due among workspaces.';

CREATE TABLE uptime_region_states (
    domain_id uuid NOT NULL REFERENCES domains (id),
    region text NOT NULL,
    state jsonb NOT NULL,
    PRIMARY KEY (domain_id, region)
) WITH (fillfactor = 70);
COMMENT ON TABLE uptime_region_states IS 'The knowledge of each region of a site after its last check.';
COMMENT ON COLUMN uptime_region_states.state IS 'Counters, last outcome, since when; changed by each check.';

-- In monthly partitions, so that retention drops whole months.
CREATE TABLE uptime_checks (
    id uuid NOT NULL,
    domain_id uuid NOT NULL REFERENCES domains (id),
    region text NOT NULL,
    checked_at timestamptz NOT NULL,
    outcome text NOT NULL CHECK (outcome IN ('up', 'down', 'degraded', 'maintenance', 'blocked')),
    run_id uuid,
    status_code integer,
    http_version text CHECK (http_version IN ('1.0', '1.1', '2')),
    response_ms double precision,
    dns_ms double precision,
    connect_ms double precision,
    tls_ms double precision,
    ttfb_ms double precision,
    download_ms double precision,
    redirect_count integer NOT NULL,
    final_url text,
    response_bytes bigint,
    ip_address inet,
    error_class text,
    error_message text,
    keyword_matched boolean,
    retry_index integer NOT NULL,
    PRIMARY KEY (domain_id, checked_at, id)
) PARTITION BY RANGE (checked_at);
-- However rare the checks of a region or an outcome are, a page of them is read by an index. The columns that are compared
-- for equality are hashed into one: that is half as large, and an index that nothing else can stand in for, since the
-- planner takes what is rare in one domain for frequent where it is in all others.
CREATE INDEX uptime_checks_found_idx ON uptime_checks
    (hashtextextended(region || ' ' || outcome, uuid_hash_extended(domain_id, 0)), checked_at, id);
CREATE INDEX uptime_checks_run_id_idx ON uptime_checks (run_id) WHERE run_id IS NOT NULL;
COMMENT ON TABLE uptime_checks IS
    'Every check of a site. The primary key, read backwards, serves lists that begin with the newest.';
COMMENT ON INDEX uptime_checks_found_idx IS 'Serves lists of one region, one outcome, or both: a page of each pair of them.';
COMMENT ON COLUMN uptime_checks.run_id IS 'The run that asked for it; null: the schedule.';
COMMENT ON COLUMN uptime_checks.response_ms IS 'All of it in milliseconds; the columns after it are its parts. Null: not measured.';
COMMENT ON COLUMN uptime_checks.response_bytes IS 'The size of the body as sent.';
COMMENT ON COLUMN uptime_checks.error_class IS 'Why it failed, from a closed list that grows with the prober; so no CHECK.';
COMMENT ON COLUMN uptime_checks.keyword_matched IS 'Whether the keyword was found; null without a rule.';
COMMENT ON COLUMN uptime_checks.retry_index IS '0 for the first attempt.';

CREATE TABLE uptime_checks_default PARTITION OF uptime_checks DEFAULT;
COMMENT ON TABLE uptime_checks_default IS 'Checks of months that have no partition: a safety net, normally empty.';

CREATE TABLE uptime_spans (
    domain_id uuid NOT NULL REFERENCES domains (id),
    region text NOT NULL,
    state text NOT NULL
        CHECK (state IN ('up', 'suspect', 'pending', 'down', 'maintenance', 'blocked', 'paused')),
    started_at timestamptz NOT NULL,
    ended_at timestamptz NOT NULL,
    PRIMARY KEY (domain_id, region, started_at),
    CHECK (started_at < ended_at)
) WITH (fillfactor = 90);
COMMENT ON TABLE uptime_spans IS
    'Time in one state, seen from one region. Spans of a region never overlap; neighbours of one state are one span.';
COMMENT ON COLUMN uptime_spans.state IS
    'suspect and pending become down when the outage is confirmed. Until then suspect counts as up, and pending, which is suspect before the site was seen up, as neither.';

CREATE TABLE uptime_incidents (
    id uuid PRIMARY KEY,
    domain_id uuid NOT NULL REFERENCES domains (id),
    started_at timestamptz NOT NULL,
    confirmed_at timestamptz NOT NULL,
    resolved_at timestamptz,
    class text NOT NULL,
    severity text NOT NULL CHECK (severity IN ('outage', 'degraded')),
    status_code integer,
    error_message text,
    resolved_ip inet,
    response_headers jsonb NOT NULL,
    checks_failed integer NOT NULL CHECK (checks_failed >= 0),
    during_maintenance boolean NOT NULL,
    CHECK (started_at <= confirmed_at),
    CHECK (confirmed_at <= resolved_at)
);
CREATE UNIQUE INDEX uptime_incidents_open_key ON uptime_incidents (domain_id) WHERE resolved_at IS NULL;
CREATE INDEX uptime_incidents_domain_id_idx ON uptime_incidents (domain_id, started_at DESC, id DESC);
-- Hashed as in the index of checks.
CREATE INDEX uptime_incidents_class_idx ON uptime_incidents
    (hashtextextended(class, uuid_hash_extended(domain_id, 0)), started_at, id);
COMMENT ON TABLE uptime_incidents IS 'Outages: while more than half of the regions see the site down. At most one is open for a domain.';
COMMENT ON INDEX uptime_incidents_class_idx IS 'Serves lists of one class.';
COMMENT ON COLUMN uptime_incidents.started_at IS 'The first failing check of the region that made it an outage.';
COMMENT ON COLUMN uptime_incidents.confirmed_at IS 'The check that confirmed it.';
COMMENT ON COLUMN uptime_incidents.resolved_at IS 'The first passing check of those that ended it; null: still open.';
COMMENT ON COLUMN uptime_incidents.class IS
    'The class of the first failing check. A list that grows with the prober; so no CHECK.';
COMMENT ON COLUMN uptime_incidents.severity IS 'degraded: the site refused the prober alone, which is no downtime.';
COMMENT ON COLUMN uptime_incidents.status_code IS 'The status of the first failing check.';
COMMENT ON COLUMN uptime_incidents.error_message IS 'The message of the first failing check.';
COMMENT ON COLUMN uptime_incidents.resolved_ip IS 'The address that the first failing check connected to.';
COMMENT ON COLUMN uptime_incidents.response_headers IS 'The headers of the first failing answer that tell who answered.';
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

CREATE TABLE uptime_certificates (
    domain_id uuid PRIMARY KEY REFERENCES domains (id),
    digest bytea NOT NULL CHECK (octet_length(digest) = 32),
    checked_at timestamptz NOT NULL,
    sighting jsonb NOT NULL
) WITH (fillfactor = 70);
COMMENT ON TABLE uptime_certificates IS 'The sight of a site''s TLS at the last check. There is no row before the first check.';
COMMENT ON COLUMN uptime_certificates.digest IS 'SHA-256 of the sighting: whether a check saw the same is told by it alone.';
COMMENT ON COLUMN uptime_certificates.checked_at IS
    'A check that saw it; written on a change, and anew once it is an hour old.';
COMMENT ON COLUMN uptime_certificates.sighting IS 'Host, certificate, chain, session and HSTS.';

CREATE TABLE uptime_certificate_history (
    domain_id uuid NOT NULL REFERENCES domains (id),
    fingerprint text NOT NULL CHECK (fingerprint ~ '^[0-9a-f]{64}$'),
    first_seen_at timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL,
    replaced_at timestamptz,
    issuer_common_name text,
    valid_from timestamptz NOT NULL,
    valid_until timestamptz NOT NULL,
    names_count integer NOT NULL CHECK (names_count >= 0),
    PRIMARY KEY (domain_id, fingerprint),
    CHECK (first_seen_at <= last_seen_at)
) WITH (fillfactor = 70);
COMMENT ON TABLE uptime_certificate_history IS
    'The certificates that a site has presented: the 50 that were seen last.';
COMMENT ON COLUMN uptime_certificate_history.fingerprint IS 'SHA-256 of the certificate, hex.';
COMMENT ON COLUMN uptime_certificate_history.last_seen_at IS 'The last check that saw it, to within an hour.';
COMMENT ON COLUMN uptime_certificate_history.replaced_at IS
    'The check that first saw another in its place; null: it is the present one.';
COMMENT ON COLUMN uptime_certificate_history.names_count IS 'How many DNS names and addresses it is for.';

-- A read over a year need not look at every check.
CREATE TABLE uptime_rollups (
    domain_id uuid NOT NULL REFERENCES domains (id),
    grain text NOT NULL CHECK (grain IN ('hour', 'day', 'month', 'quarter')),
    starts_at timestamptz NOT NULL,
    region text NOT NULL,
    counts bigint[] NOT NULL CHECK (cardinality(counts) = 4),
    least_us bigint,
    most_us bigint,
    samples bigint[] NOT NULL CHECK (cardinality(samples) = 6),
    micros bigint[] NOT NULL CHECK (cardinality(micros) = 6),
    PRIMARY KEY (domain_id, grain, starts_at, region)
);
COMMENT ON TABLE uptime_rollups IS
    'The sums of the checks of each hour, day, month and quarter of a year, seen from one region, and the times of those that passed.';
COMMENT ON COLUMN uptime_rollups.grain IS 'A month or quarter has a row once all of it is rolled up.';
COMMENT ON COLUMN uptime_rollups.starts_at IS 'When the hour, day, month or quarter begins, UTC.';
COMMENT ON COLUMN uptime_rollups.counts IS 'How many checks there were, and how many of them were up, down and degraded.';
COMMENT ON COLUMN uptime_rollups.least_us IS 'The fastest answer in microseconds; null without any.';
COMMENT ON COLUMN uptime_rollups.most_us IS 'The slowest.';
COMMENT ON COLUMN uptime_rollups.samples IS
    'How many answers were timed, and their phases: response, dns, connect, tls, ttfb, download.';
COMMENT ON COLUMN uptime_rollups.micros IS 'The sums of their times in microseconds, in the same order.';

CREATE TABLE uptime_distributions (
    domain_id uuid NOT NULL REFERENCES domains (id),
    grain text NOT NULL CHECK (grain IN ('hour', 'day', 'month', 'quarter')),
    measure text NOT NULL CHECK (measure IN ('response', 'dns', 'connect', 'tls', 'ttfb', 'download')),
    starts_at timestamptz NOT NULL,
    region text NOT NULL,
    times bytea NOT NULL,
    PRIMARY KEY (domain_id, grain, measure, starts_at, region)
);
ALTER TABLE uptime_distributions ALTER COLUMN times SET STORAGE EXTERNAL;
COMMENT ON TABLE uptime_distributions IS
    'How often which time was measured, for percentiles. Hours have the response alone.';
COMMENT ON COLUMN uptime_distributions.times IS
    'Times in microseconds of three significant digits, ascending, each once with its count: a sequence of pairs of numbers in the format of postcard, the first of each the step from the time before. It hardly compresses.';

CREATE TABLE uptime_rollup_progress (
    domain_id uuid PRIMARY KEY REFERENCES domains (id),
    rolled_until timestamptz
);
COMMENT ON TABLE uptime_rollup_progress IS
    'How far each domain is rolled up. Its row is locked by whoever rolls up, and by whoever stores a check of an earlier day.';
COMMENT ON COLUMN uptime_rollup_progress.rolled_until IS
    'The beginning of a UTC day: everything before it is rolled up, nothing after it is read from roll-ups. Null: nothing is.';
