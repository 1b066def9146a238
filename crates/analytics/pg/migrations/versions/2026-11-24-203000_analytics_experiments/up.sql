-- Experiments: what is compared, and what evaluations found.
-- Locks: creates tables only; its references take SHARE ROW EXCLUSIVE on domains and users for a moment.

CREATE TABLE analytics_experiments (
    id uuid PRIMARY KEY,
    domain_id uuid NOT NULL REFERENCES domains (id),
    name text NOT NULL,
    hypothesis text,
    status text NOT NULL CHECK (status IN ('draft', 'running', 'completed', 'archived')),
    method text NOT NULL,
    metric text NOT NULL,
    control_urls text[] NOT NULL,
    variant_urls text[] NOT NULL,
    pre_start date,
    pre_end date NOT NULL,
    post_start date NOT NULL,
    post_end date,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    created_by uuid REFERENCES users (id),
    CHECK (pre_end < post_start)
);
CREATE INDEX analytics_experiments_domain_idx ON analytics_experiments (domain_id, created_at, id);
CREATE INDEX analytics_experiments_created_by_idx ON analytics_experiments (created_by);
COMMENT ON TABLE analytics_experiments IS 'Experiments: pages that changed, compared before and after.';
COMMENT ON COLUMN analytics_experiments.status IS 'As it was put. That one which runs is ready follows from the days.';
COMMENT ON COLUMN analytics_experiments.pre_start IS 'Null: 55 days before pre_end.';
COMMENT ON COLUMN analytics_experiments.post_end IS 'Null: as far as there is data.';

CREATE TABLE analytics_evaluations (
    id uuid PRIMARY KEY,
    experiment_id uuid NOT NULL REFERENCES analytics_experiments (id) ON DELETE CASCADE,
    status text NOT NULL CHECK (status IN ('pending', 'completed')),
    method text NOT NULL,
    metric text NOT NULL,
    requested_at timestamptz NOT NULL,
    completed_at timestamptz,
    progress_pct double precision NOT NULL CHECK (progress_pct BETWEEN 0 AND 100),
    job_id uuid,
    outcome jsonb NOT NULL,
    CHECK ((status = 'completed') = (completed_at IS NOT NULL)),
    CHECK (status <> 'pending' OR job_id IS NOT NULL)
);
CREATE INDEX analytics_evaluations_experiment_idx ON analytics_evaluations (experiment_id, requested_at, id);
COMMENT ON TABLE analytics_evaluations IS 'The findings of evaluations of experiments: the newest few of each.';
COMMENT ON COLUMN analytics_evaluations.job_id IS
    'The job that works it out. One that is pending has failed if its job is dead, or gone; so this refers to no row.';
COMMENT ON COLUMN analytics_evaluations.outcome IS 'Its findings, as the crate has them; of a pending one nothing yet.';
