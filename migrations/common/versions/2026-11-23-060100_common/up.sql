-- The tables that all groups use: switches and the audit log, credits, answers of Idempotency-Keys, jobs, shared secrets, what was
-- set aside, and which functions the schema has.
-- Locks: creates tables only; the reference takes SHARE ROW EXCLUSIVE on workspaces for a moment.

CREATE TABLE schema_functions (
    name text PRIMARY KEY,
    digest bytea NOT NULL CHECK (octet_length(digest) = 32)
);
COMMENT ON TABLE schema_functions IS
    'The files of SQL functions and triggers that were applied. One whose text has another digest is applied anew.';
COMMENT ON COLUMN schema_functions.name IS 'The file''s name, without its ending.';
COMMENT ON COLUMN schema_functions.digest IS 'SHA-256 of the file.';

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
COMMENT ON COLUMN audit_log.details IS 'The values that it was changed to. Never a secret, nor the digest of one.';

CREATE TABLE credit_balances (
    workspace_id uuid PRIMARY KEY REFERENCES workspaces (id),
    cycle_start timestamptz NOT NULL,
    cycle_end timestamptz NOT NULL,
    used bigint NOT NULL DEFAULT 0 CHECK (used >= 0),
    -- No CHECKs: each would cost every batch more than a row. Plans and members have theirs.
    granted bigint NOT NULL,
    capped_members integer NOT NULL DEFAULT 0,
    CHECK (cycle_start < cycle_end)
) WITH (fillfactor = 50);
COMMENT ON TABLE credit_balances IS
    'The credits that each workspace is granted and used. Whoever charges locks the row first, several in the order of their ids.';
COMMENT ON COLUMN credit_balances.cycle_start IS 'The cycle that the last charge fell into.';
COMMENT ON COLUMN credit_balances.cycle_end IS 'Once this is reached, the next charge begins a new cycle; until then nothing is written.';
COMMENT ON COLUMN credit_balances.used IS 'The sum of the cycle''s rows in credit_log.';
COMMENT ON COLUMN credit_balances.granted IS 'The credits_per_cycle of the workspace''s plan. Triggers keep it so.';
COMMENT ON COLUMN credit_balances.capped_members IS
    'How many of the workspace''s members have a cap. Triggers count. With none, a charge needs no look at its user.';

CREATE TABLE credit_member_usage (
    workspace_id uuid NOT NULL,
    user_id uuid NOT NULL,
    cycle_start timestamptz NOT NULL,
    used bigint NOT NULL CHECK (used >= 0),
    PRIMARY KEY (workspace_id, user_id)
) WITH (fillfactor = 50);
COMMENT ON TABLE credit_member_usage IS
    'The part of a workspace''s credits that the credentials of each user used, capped or not. Guarded by the lock on the balance. No foreign keys: their locks could deadlock with whoever removes a member.';
COMMENT ON COLUMN credit_member_usage.cycle_start IS 'The row counts only while this is the cycle of the balance.';

CREATE TABLE credit_log (
    workspace_id uuid NOT NULL,
    occurred_at timestamptz NOT NULL,
    request_id uuid NOT NULL,
    credential_id uuid NOT NULL,
    domain_id uuid,
    operation text NOT NULL,
    status smallint NOT NULL,
    cost integer NOT NULL,
    cache text NOT NULL,
    PRIMARY KEY (workspace_id, occurred_at, request_id)
) PARTITION BY RANGE (occurred_at);
COMMENT ON TABLE credit_log IS
    'Every request of a known credential, with its price; kept for 90 days. The primary key, read backwards, serves lists that begin with the newest. No foreign keys and no CHECKs: they would cost more than the row.';
COMMENT ON COLUMN credit_log.occurred_at IS
    'When it was answered. A charge that came after its cycle was closed has the first moment of the next.';
COMMENT ON COLUMN credit_log.domain_id IS 'The domain of the path; null where it has none in reach.';
COMMENT ON COLUMN credit_log.operation IS 'The id of the operation. Operations come with the versions of Pharos, so no CHECK.';
COMMENT ON COLUMN credit_log.cost IS 'The credits that were charged; 0 for hits, refusals, replays and discovery.';
COMMENT ON COLUMN credit_log.cache IS 'Where the answer came from: hit, miss or unavailable.';

CREATE TABLE credit_log_default PARTITION OF credit_log DEFAULT;
COMMENT ON TABLE credit_log_default IS 'Rows of days that have no partition: a safety net, normally empty.';

CREATE TABLE idempotency_records (
    credential_id uuid NOT NULL,
    key text NOT NULL,
    fingerprint bytea NOT NULL CHECK (octet_length(fingerprint) = 32),
    status smallint NOT NULL,
    body bytea NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (credential_id, key)
);
CREATE INDEX idempotency_records_created_at_idx ON idempotency_records (created_at);
COMMENT ON TABLE idempotency_records IS
    'The answers to requests with an Idempotency-Key, written in the transaction of their effect. A row holds for 24 hours.';
COMMENT ON COLUMN idempotency_records.key IS 'As the caller chose it; one namespace a credential.';
COMMENT ON COLUMN idempotency_records.fingerprint IS 'SHA-256 over method, path and body: what tells a repeated request from another one.';
COMMENT ON COLUMN idempotency_records.body IS 'The answer''s body, byte for byte.';

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
    workspace_id uuid,
    CHECK ((state = 'running') = (leased_until IS NOT NULL)),
    CHECK ((state = 'running') = (worker IS NOT NULL)),
    CHECK ((state IN ('succeeded', 'dead')) = (finished_at IS NOT NULL))
) WITH (fillfactor = 70);
-- When a job can be claimed: at its time, or when the lease of who has it is over. Claims read it lane by lane.
CREATE INDEX jobs_due_idx ON jobs (lane, coalesce(leased_until, run_at)) WHERE state IN ('queued', 'running');
CREATE INDEX jobs_turns_idx ON jobs (lane, workspace_id, coalesce(leased_until, run_at))
    WHERE state IN ('queued', 'running');
CREATE INDEX jobs_succeeded_idx ON jobs (finished_at) WHERE state = 'succeeded';
CREATE INDEX jobs_dead_idx ON jobs (finished_at) WHERE state = 'dead';
COMMENT ON TABLE jobs IS
    'Work that is done later. Written in the transaction that asks for it; kept 7 days once succeeded, 90 once dead.';
COMMENT ON COLUMN jobs.kind IS 'Which handler does it. Kinds come with the versions of Pharos, so no CHECK.';
COMMENT ON COLUMN jobs.lane IS 'The region that must do it; null: whoever comes first.';
COMMENT ON COLUMN jobs.payload IS 'The order of the job. Never a secret: operators see it.';
COMMENT ON COLUMN jobs.run_at IS 'Not before.';
COMMENT ON COLUMN jobs.leased_until IS 'Until then its worker alone has it; one that dies loses it then.';
COMMENT ON COLUMN jobs.worker IS 'The process that has it.';
COMMENT ON COLUMN jobs.attempts IS 'The attempts that were made, the present one included.';
COMMENT ON COLUMN jobs.last_error IS 'Why the last attempt that failed did.';
COMMENT ON COLUMN jobs.workspace_id IS 'Whose it is; claims share the room among workspaces. Null: nobody''s.';

CREATE TABLE shared_secrets (
    name text PRIMARY KEY CHECK (name <> ''),
    value bytea NOT NULL CHECK (octet_length(value) = 32),
    created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE shared_secrets IS 'Random secrets that all nodes of an installation share, made by the first that asks.';
COMMENT ON COLUMN shared_secrets.name IS 'The purpose of the secret.';
COMMENT ON COLUMN shared_secrets.value IS '256 random bits.';

CREATE TABLE set_aside (
    kind text NOT NULL CHECK (kind <> ''),
    subject text NOT NULL,
    reason text NOT NULL,
    payload text,
    first_at timestamptz NOT NULL DEFAULT now(),
    last_at timestamptz NOT NULL DEFAULT now(),
    times bigint NOT NULL DEFAULT 1,
    PRIMARY KEY (kind, subject)
);
COMMENT ON TABLE set_aside IS
    'Things that could not be stored or read, set aside so that all else goes on. One row for each thing, however often it happens; kept 30 days after the last time. `pharos doctor` shows it.';
COMMENT ON COLUMN set_aside.kind IS 'The kind of thing. Kinds come with the versions of Pharos, so no CHECK.';
COMMENT ON COLUMN set_aside.subject IS 'The thing, or what it belongs to: its id; of a check the domain and the region.';
COMMENT ON COLUMN set_aside.reason IS 'Why, the last time.';
COMMENT ON COLUMN set_aside.payload IS
    'The beginning of what could not be stored, the last time. Null: it could not be read, and lies where it was.';
COMMENT ON COLUMN set_aside.times IS 'How often.';
