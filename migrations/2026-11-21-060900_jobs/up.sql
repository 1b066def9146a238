-- Work that is done later, and the queue that hands it out.
-- Locks: creates a table only; nothing that exists is touched.

CREATE TABLE jobs (
    id uuid PRIMARY KEY,
    kind text NOT NULL CHECK (kind <> ''),
    lane text CHECK (lane <> ''),
    payload jsonb NOT NULL,
    state text NOT NULL CHECK (state IN ('queued', 'running', 'succeeded', 'dead')),
    run_at timestamptz NOT NULL,
    leased_until timestamptz,
    worker uuid,
    attempts integer NOT NULL CHECK (attempts >= 0),
    max_attempts integer NOT NULL CHECK (max_attempts > 0),
    last_error text,
    created_at timestamptz NOT NULL,
    finished_at timestamptz,
    CHECK ((state = 'running') = (leased_until IS NOT NULL)),
    CHECK ((state = 'running') = (worker IS NOT NULL)),
    CHECK ((state IN ('succeeded', 'dead')) = (finished_at IS NOT NULL))
) WITH (fillfactor = 70);
-- When a job can be claimed: at its time, or when the lease of who has it is over. Claims read it lane by lane.
CREATE INDEX jobs_due_idx ON jobs (lane, coalesce(leased_until, run_at)) WHERE state IN ('queued', 'running');
CREATE INDEX jobs_succeeded_idx ON jobs (finished_at) WHERE state = 'succeeded';
CREATE INDEX jobs_dead_idx ON jobs (finished_at) WHERE state = 'dead';
COMMENT ON TABLE jobs IS
    'Work that is done later. Written in the transaction that asks for it; kept 7 days once succeeded, 90 once dead.';
COMMENT ON COLUMN jobs.kind IS 'Which handler does it. Kinds come with the versions of Pharos, so no CHECK.';
COMMENT ON COLUMN jobs.lane IS 'The region that must do it; null: whoever comes first.';
COMMENT ON COLUMN jobs.payload IS 'What to do. Never a secret: operators see it.';
COMMENT ON COLUMN jobs.run_at IS 'Not before.';
COMMENT ON COLUMN jobs.leased_until IS 'Until then its worker alone has it; one that dies loses it then.';
COMMENT ON COLUMN jobs.worker IS 'The process that has it.';
COMMENT ON COLUMN jobs.attempts IS 'The attempts that were made, the present one included.';
COMMENT ON COLUMN jobs.last_error IS 'Why the last attempt that failed did.';
