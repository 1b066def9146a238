-- Lab tests: pages, their runs with results, budgets.
-- Locks: creates tables only; its references take SHARE ROW EXCLUSIVE on domains and workspaces for a moment.

CREATE TABLE synthetic_urls (
    id uuid PRIMARY KEY,
    domain_id uuid NOT NULL REFERENCES domains (id),
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    settings jsonb NOT NULL,
    secrets bytea,
    has_basic_auth boolean NOT NULL,
    has_cookie boolean NOT NULL,
    next_run_at timestamptz,
    leased_until timestamptz,
    planned_at timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    deleted_at timestamptz,
    CHECK ((secrets IS NOT NULL) = (has_basic_auth OR has_cookie)),
    CHECK (deleted_at IS NULL OR (next_run_at IS NULL AND secrets IS NULL))
) WITH (fillfactor = 70);
CREATE INDEX synthetic_urls_domain_idx ON synthetic_urls (domain_id, created_at, id);
CREATE INDEX synthetic_urls_due_idx ON synthetic_urls (next_run_at);
CREATE INDEX synthetic_urls_leased_idx ON synthetic_urls (leased_until) WHERE leased_until IS NOT NULL;
CREATE INDEX synthetic_urls_workspace_idx ON synthetic_urls (workspace_id, next_run_at);
CREATE INDEX synthetic_urls_deleted_idx ON synthetic_urls (deleted_at) WHERE deleted_at IS NOT NULL;
COMMENT ON TABLE synthetic_urls IS 'Pages that lab tests are run of.';
COMMENT ON COLUMN synthetic_urls.secrets IS
    'User, password and cookie by which the page is reached, encrypted by a key that the database does not have (AES-256-GCM). Null: none.';
COMMENT ON COLUMN synthetic_urls.next_run_at IS 'Null: it is measured only when somebody asks for it.';
COMMENT ON COLUMN synthetic_urls.leased_until IS
    'Until then one node alone plans its runs, and this moment is its claim. Null: nobody does.';
COMMENT ON COLUMN synthetic_urls.planned_at IS 'When its runs were last taken down by its schedule; null: never.';
COMMENT ON COLUMN synthetic_urls.deleted_at IS
    'Since when it is tracked no longer; it stays for as long as its runs do. Null: it is tracked.';

CREATE TABLE synthetic_runs (
    id uuid PRIMARY KEY,
    domain_id uuid NOT NULL REFERENCES domains (id),
    url_id uuid REFERENCES synthetic_urls (id),
    job_id uuid,
    url text NOT NULL,
    profile_id text NOT NULL,
    form_factor text NOT NULL CHECK (form_factor IN ('mobile', 'desktop')),
    trigger text NOT NULL CHECK (trigger IN ('schedule', 'api', 'dashboard')),
    status text NOT NULL CHECK (status IN ('queued', 'running', 'succeeded', 'failed', 'canceled')),
    requested_at timestamptz NOT NULL,
    started_at timestamptz,
    finished_at timestamptz,
    error_code text,
    error_detail text,
    summary jsonb,
    figures jsonb NOT NULL GENERATED ALWAYS AS (coalesce(summary -> 'figures', '{}')) STORED,
    budgets jsonb NOT NULL DEFAULT '[]',
    exceeded integer NOT NULL DEFAULT 0 CHECK (exceeded >= 0),
    images_until timestamptz,
    CHECK ((finished_at IS NOT NULL) = (status IN ('succeeded', 'failed', 'canceled'))),
    CHECK (status <> 'succeeded' OR summary IS NOT NULL),
    CHECK ((error_code IS NULL) = (error_detail IS NULL))
);
CREATE INDEX synthetic_runs_domain_idx ON synthetic_runs (domain_id, requested_at, id);
CREATE INDEX synthetic_runs_url_idx ON synthetic_runs (url_id, profile_id, finished_at);
CREATE INDEX synthetic_runs_page_idx ON synthetic_runs (url_id, requested_at, id);
CREATE INDEX synthetic_runs_finished_idx ON synthetic_runs (domain_id, finished_at) WHERE status = 'succeeded';
CREATE INDEX synthetic_runs_requested_idx ON synthetic_runs (requested_at);
CREATE INDEX synthetic_runs_open_idx ON synthetic_runs (requested_at) WHERE status IN ('queued', 'running');
COMMENT ON TABLE synthetic_runs IS 'Lab tests: a page, measured once on a profile.';
COMMENT ON COLUMN synthetic_runs.url_id IS 'Null: a run of no tracked page.';
COMMENT ON COLUMN synthetic_runs.job_id IS 'The job that does it; null: it was refused when it was due.';
COMMENT ON COLUMN synthetic_runs.summary IS 'Its result, but for the lists; null: it has no result.';
COMMENT ON COLUMN synthetic_runs.figures IS 'Its figures by name. One that was not measured is not there.';
COMMENT ON COLUMN synthetic_runs.budgets IS 'How the budgets of the time stood.';
COMMENT ON COLUMN synthetic_runs.exceeded IS 'How many of them were exceeded.';
COMMENT ON COLUMN synthetic_runs.images_until IS 'Until when its pictures are kept; null: it has none.';

CREATE TABLE synthetic_results (
    run_id uuid PRIMARY KEY REFERENCES synthetic_runs (id) ON DELETE CASCADE,
    audits jsonb NOT NULL,
    opportunities jsonb NOT NULL,
    resources jsonb NOT NULL,
    third_parties jsonb NOT NULL,
    filmstrip jsonb NOT NULL
);
COMMENT ON TABLE synthetic_results IS 'The lists of lab tests, each of which is read whole. They go with their runs.';
COMMENT ON COLUMN synthetic_results.filmstrip IS 'Pictures by the keys of their artefacts.';

CREATE TABLE synthetic_budgets (
    id uuid PRIMARY KEY,
    domain_id uuid NOT NULL REFERENCES domains (id),
    position integer NOT NULL CHECK (position >= 0),
    url_id uuid REFERENCES synthetic_urls (id),
    profile_id text,
    metric text NOT NULL,
    bound double precision NOT NULL CHECK (bound >= 0),
    direction text NOT NULL CHECK (direction IN ('max', 'min')),
    last_value double precision,
    last_result text NOT NULL DEFAULT 'unknown' CHECK (last_result IN ('passed', 'failed', 'unknown')),
    last_run_id uuid,
    UNIQUE (domain_id, position)
);
CREATE INDEX synthetic_budgets_url_idx ON synthetic_budgets (url_id);
COMMENT ON TABLE synthetic_budgets IS 'Bounds that the figures of lab tests are held to.';
COMMENT ON COLUMN synthetic_budgets.position IS 'Its place in the list that was sent, from 0.';
COMMENT ON COLUMN synthetic_budgets.url_id IS 'The page that it holds for; null: all of the domain.';
COMMENT ON COLUMN synthetic_budgets.profile_id IS 'The profile that it holds for; null: all.';
COMMENT ON COLUMN synthetic_budgets.last_run_id IS 'The run that it was last judged by, which may be gone; null: none.';
