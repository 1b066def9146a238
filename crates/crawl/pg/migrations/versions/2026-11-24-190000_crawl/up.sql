-- The robots.txt of sites: who is checked when, versions, checks, saved URLs.
-- Locks: creates tables only; its references take SHARE ROW EXCLUSIVE on domains for a moment.

CREATE TABLE robots_versions (
    id uuid PRIMARY KEY,
    domain_id uuid NOT NULL REFERENCES domains (id),
    detected_at timestamptz NOT NULL,
    replaced_at timestamptz,
    state text NOT NULL CHECK (state IN ('ok', 'missing', 'redirected_off_host', 'too_large', 'html_instead', 'empty')),
    status_code integer NOT NULL,
    content bytea,
    sha256 text NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
    size_bytes integer NOT NULL CHECK (size_bytes >= 0),
    rules_added integer NOT NULL CHECK (rules_added >= 0),
    rules_removed integer NOT NULL CHECK (rules_removed >= 0),
    groups_changed integer NOT NULL CHECK (groups_changed >= 0),
    sitemaps_changed integer NOT NULL CHECK (sitemaps_changed >= 0),
    impact text NOT NULL CHECK (impact IN ('none', 'low', 'high')),
    change_summary text NOT NULL,
    access_changes jsonb NOT NULL,
    issues jsonb NOT NULL,
    issues_added jsonb NOT NULL,
    issues_resolved jsonb NOT NULL,
    CHECK (detected_at <= replaced_at)
);
CREATE UNIQUE INDEX robots_versions_current_key ON robots_versions (domain_id) WHERE replaced_at IS NULL;
CREATE INDEX robots_versions_domain_id_idx ON robots_versions (domain_id, detected_at, id);
COMMENT ON TABLE robots_versions IS
    'Every robots.txt that a site had, whole, with what changed beside the one before it. Kept for as long as the domain.';
COMMENT ON COLUMN robots_versions.replaced_at IS 'When another was found; null: it is current.';
COMMENT ON COLUMN robots_versions.content IS 'The bytes that crawlers read, 500 KiB at most; null: there is no file.';
COMMENT ON COLUMN robots_versions.sha256 IS 'The digest of the content; that of nothing where there is no file.';
COMMENT ON COLUMN robots_versions.access_changes IS 'Crawlers that lost or gained the root of the site.';
COMMENT ON COLUMN robots_versions.issues IS 'The findings, as they were when it was found; 1,000 at most.';

CREATE TABLE robots_sites (
    domain_id uuid PRIMARY KEY REFERENCES domains (id),
    workspace_id uuid NOT NULL,
    next_check_at timestamptz NOT NULL,
    leased_until timestamptz,
    robots_url text,
    state text CHECK (
        state IN (
            'ok', 'missing', 'unreachable', 'redirected_off_host', 'server_error', 'too_large', 'html_instead', 'empty'
        )
    ),
    status_code integer,
    last_checked_at timestamptz,
    last_changed_at timestamptz,
    failures integer NOT NULL DEFAULT 0 CHECK (failures >= 0),
    version_id uuid REFERENCES robots_versions (id),
    good_fetch jsonb,
    issues jsonb NOT NULL DEFAULT '[]',
    issue_counts jsonb NOT NULL DEFAULT '{"error": 0, "warning": 0, "info": 0}',
    sitemaps jsonb NOT NULL DEFAULT '[]',
    sitemaps_asked_at timestamptz,
    blocks_all boolean,
    blocks_googlebot boolean,
    failing_test_urls integer NOT NULL DEFAULT 0 CHECK (failing_test_urls >= 0),
    CHECK ((version_id IS NULL) = (good_fetch IS NULL)),
    CHECK ((robots_url IS NULL) = (last_checked_at IS NULL)),
    CHECK ((state IS NULL) = (last_checked_at IS NULL)),
    CHECK ((blocks_all IS NULL) = (last_checked_at IS NULL)),
    CHECK ((blocks_googlebot IS NULL) = (last_checked_at IS NULL))
) WITH (fillfactor = 70);
CREATE INDEX robots_sites_due_idx ON robots_sites (next_check_at);
CREATE INDEX robots_sites_leased_idx ON robots_sites (leased_until) WHERE leased_until IS NOT NULL;
CREATE INDEX robots_sites_turns_idx ON robots_sites (workspace_id, next_check_at);
CREATE INDEX robots_sites_version_id_idx ON robots_sites (version_id);
COMMENT ON TABLE robots_sites IS 'The robots.txt of a site, as far as it is known, and when it is checked next.';
COMMENT ON COLUMN robots_sites.workspace_id IS
    'The domain''s, which never changes. Claims share what is due among workspaces.';
COMMENT ON COLUMN robots_sites.leased_until IS
    'Until then one node alone has the check; a node that dies loses it then. Null: nobody has.';
COMMENT ON COLUMN robots_sites.state IS 'How the file stood at the last check; null: there was none.';
COMMENT ON COLUMN robots_sites.failures IS 'How many checks in a row failed.';
COMMENT ON COLUMN robots_sites.version_id IS 'The version that the last good fetch saw; null: there was none.';
COMMENT ON COLUMN robots_sites.good_fetch IS 'That fetch: URL, redirects, headers, time.';
COMMENT ON COLUMN robots_sites.issues IS 'The findings with the moment from which on each was there; 1,000 at most.';
COMMENT ON COLUMN robots_sites.issue_counts IS 'How many there are by severity, those beyond 1,000 included.';
COMMENT ON COLUMN robots_sites.blocks_all IS
    'Whether crawlers that no group names may not fetch the root; null: there was no check. Alert rules read it.';
COMMENT ON COLUMN robots_sites.blocks_googlebot IS 'The same of Googlebot.';
COMMENT ON COLUMN robots_sites.failing_test_urls IS 'How many saved URLs are not as expected, as of the last check or change.';
COMMENT ON COLUMN robots_sites.sitemaps IS 'The sitemaps that the file names, as far as they were asked for.';

-- In monthly partitions, so that retention drops whole months.
CREATE TABLE robots_checks (
    id uuid NOT NULL,
    domain_id uuid NOT NULL REFERENCES domains (id),
    checked_at timestamptz NOT NULL,
    run_id uuid,
    outcome text NOT NULL CHECK (outcome IN ('unchanged', 'changed', 'failed')),
    status_code integer,
    response_ms double precision,
    size_bytes integer,
    error_class text,
    version_id uuid,
    PRIMARY KEY (domain_id, checked_at, id)
) PARTITION BY RANGE (checked_at);
CREATE INDEX robots_checks_run_id_idx ON robots_checks (run_id) WHERE run_id IS NOT NULL;
COMMENT ON TABLE robots_checks IS
    'Every check of a robots.txt. The primary key, read backwards, serves lists that begin with the newest.';
COMMENT ON COLUMN robots_checks.run_id IS 'The run that asked for it; null: the schedule.';
COMMENT ON COLUMN robots_checks.error_class IS
    'Why it failed, from a closed list that grows with the fetch; so no CHECK. Null: it did not, or the status says so.';
COMMENT ON COLUMN robots_checks.version_id IS 'The version that it found; null: it failed.';

CREATE TABLE robots_checks_default PARTITION OF robots_checks DEFAULT;
COMMENT ON TABLE robots_checks_default IS 'Checks of months that have no partition: a safety net, normally empty.';

CREATE TABLE robots_test_urls (
    id uuid PRIMARY KEY,
    domain_id uuid NOT NULL REFERENCES domains (id),
    position integer NOT NULL CHECK (position >= 0),
    url text NOT NULL,
    user_agent text NOT NULL,
    expectation text NOT NULL CHECK (expectation IN ('allowed', 'disallowed')),
    UNIQUE (domain_id, position)
);
COMMENT ON TABLE robots_test_urls IS 'URLs of a site with what people expect its robots.txt to say of them.';
COMMENT ON COLUMN robots_test_urls.position IS 'Its place in the list that was sent, from 0.';
