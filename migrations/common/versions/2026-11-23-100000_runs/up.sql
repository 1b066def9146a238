-- Runs: what callers asked to be done, and how far it is; and the jobs that do it.
-- Locks: ACCESS EXCLUSIVE on jobs while columns without a default are added and an index is made of a table that
-- keeps a few days; the reference takes SHARE ROW EXCLUSIVE on domains for a moment.

CREATE TABLE runs (
    id uuid PRIMARY KEY,
    domain_id uuid NOT NULL REFERENCES domains (id),
    kind text NOT NULL CHECK (kind <> ''),
    status text NOT NULL
        CHECK (status IN ('queued', 'running', 'succeeded', 'partial', 'failed', 'canceled', 'expired')),
    requested_at timestamptz NOT NULL,
    started_at timestamptz,
    finished_at timestamptz,
    result_seconds integer CHECK (result_seconds > 0),
    expires_at timestamptz,
    total_items integer CHECK (total_items >= 0),
    completed_items integer CHECK (completed_items >= 0),
    failed_items integer CHECK (failed_items >= 0),
    error_code text,
    error_detail text,
    requester_kind text NOT NULL,
    credential_id uuid NOT NULL,
    credits_charged integer NOT NULL CHECK (credits_charged >= 0),
    CHECK ((status IN ('queued', 'running')) = (finished_at IS NULL)),
    CHECK (status <> 'running' OR started_at IS NOT NULL),
    CHECK (status <> 'expired' OR expires_at IS NOT NULL)
) WITH (fillfactor = 70);
CREATE INDEX runs_domain_idx ON runs (domain_id, kind, requested_at, id);
CREATE INDEX runs_expiry_idx ON runs (expires_at) WHERE status IN ('succeeded', 'partial') AND expires_at IS NOT NULL;
CREATE INDEX runs_finished_idx ON runs (finished_at) WHERE finished_at IS NOT NULL;
COMMENT ON TABLE runs IS
    'Work that callers asked for, and how far it is. Written in the transaction that charges it, with its jobs; a trigger on jobs moves it on. Kept 12 months after its end.';
COMMENT ON COLUMN runs.kind IS 'The work that it does. Kinds come with the versions of Pharos, so no CHECK.';
COMMENT ON COLUMN runs.status IS 'All but queued and running are final, except that what has a result expires.';
COMMENT ON COLUMN runs.started_at IS 'When the first of its jobs began.';
COMMENT ON COLUMN runs.finished_at IS 'When the last of its jobs was over, or it was canceled.';
COMMENT ON COLUMN runs.result_seconds IS 'How long its result is kept once it is there; null: with the other data of its module.';
COMMENT ON COLUMN runs.expires_at IS 'When its result is no longer kept.';
COMMENT ON COLUMN runs.total_items IS 'How many items it consists of; null: it has none.';
COMMENT ON COLUMN runs.error_code IS 'Why it failed, or a part of it: the suffix of a problem.';
COMMENT ON COLUMN runs.error_detail IS 'The same in words, for the caller.';
COMMENT ON COLUMN runs.credential_id IS 'Who asked for it. No foreign key: a run outlives its credential.';

ALTER TABLE jobs
    ADD COLUMN run_id uuid,
    ADD COLUMN started_at timestamptz,
    ADD COLUMN error_code text,
    ADD COLUMN error_detail text;
CREATE INDEX jobs_run_idx ON jobs (run_id) WHERE run_id IS NOT NULL;
COMMENT ON COLUMN jobs.run_id IS 'The run that it belongs to. No foreign key: each is forgotten in its own time.';
COMMENT ON COLUMN jobs.started_at IS 'When its first attempt began.';
COMMENT ON COLUMN jobs.error_code IS
    'The suffix of a problem that the caller of its run is told of the last attempt that failed.';
COMMENT ON COLUMN jobs.error_detail IS 'The same in words.';
