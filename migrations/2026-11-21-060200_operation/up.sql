-- Switches that an operator throws, and the log of what operators changed.
-- Locks: creates tables only; nothing that exists is touched.

CREATE TABLE switches (
    name text PRIMARY KEY CHECK (name IN ('api-disabled', 'read-only-mode')),
    thrown_at timestamptz NOT NULL
);
COMMENT ON TABLE switches IS 'The switches that are thrown; one that is not has no row.';

CREATE TABLE audit_log (
    id uuid PRIMARY KEY,
    at timestamptz NOT NULL,
    actor text NOT NULL,
    action text NOT NULL,
    subject_kind text NOT NULL,
    subject_id text NOT NULL,
    details jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX audit_log_at_idx ON audit_log (at, id);
CREATE INDEX audit_log_subject_idx ON audit_log (subject_kind, subject_id, at);
COMMENT ON TABLE audit_log IS 'Who changed what outside the public API. Only ever added to.';
COMMENT ON COLUMN audit_log.actor IS 'cli:<account>, user:<id>, client:<id> or system.';
COMMENT ON COLUMN audit_log.action IS 'Noun and verb, such as key.rotate.';
COMMENT ON COLUMN audit_log.subject_id IS 'The id, key or name of what was changed.';
COMMENT ON COLUMN audit_log.details IS 'What it was changed to. Never a secret, nor the digest of one.';
