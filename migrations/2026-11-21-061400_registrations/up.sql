-- Registrations of domains, as their registries tell of them over RDAP.
-- Locks: ACCESS EXCLUSIVE on uptime_monitors for a moment (a column without a default, a foreign key without rows);
-- its index is built under SHARE.

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
    'What is known of registered names. All domains below a name share its row. Of registrants nothing is kept.';
COMMENT ON COLUMN domain_registrations.leased_until IS
    'Until then one node alone asks, and this moment is its claim; a node that dies loses it then. Null: nobody asks.';
COMMENT ON COLUMN domain_registrations.asked_at IS 'When asking last ended, however it did; null: never.';
COMMENT ON COLUMN domain_registrations.failures IS 'How often in a row asking failed.';
COMMENT ON COLUMN domain_registrations.last_failure IS 'Why it failed last; null: it did not.';
COMMENT ON COLUMN domain_registrations.answer IS
    'What is kept of the last good answer; null: there was none, or there is no RDAP service.';
COMMENT ON COLUMN domain_registrations.answered_at IS 'When that came.';
COMMENT ON COLUMN domain_registrations.changes IS 'What changed from answer to answer: the last 20, the newest first.';

ALTER TABLE uptime_monitors ADD COLUMN registrable_domain text REFERENCES domain_registrations (name);
CREATE INDEX uptime_monitors_registrable_domain_idx ON uptime_monitors (registrable_domain);
COMMENT ON COLUMN uptime_monitors.registrable_domain IS
    'The registered name that the domain lies below, by the public suffix list; null: not found out yet.';
