-- Templates of reports with their schedules, and what is kept of runs.
-- Locks: creates tables only; its references take SHARE ROW EXCLUSIVE on domains and runs for a moment.

CREATE TABLE report_templates (
    id uuid PRIMARY KEY,
    domain_id uuid NOT NULL REFERENCES domains (id),
    workspace_id uuid NOT NULL,
    name text NOT NULL CHECK (name <> ''),
    name_key text NOT NULL,
    description text,
    sections jsonb NOT NULL,
    locale text NOT NULL CHECK (locale IN ('en', 'de', 'fr', 'es', 'ja')),
    format text NOT NULL CHECK (format IN ('pdf', 'html', 'csv', 'json')),
    default_period text NOT NULL,
    compare_previous boolean NOT NULL,
    branding jsonb NOT NULL,
    schedule jsonb,
    next_run_at timestamptz,
    leased_until timestamptz,
    requester_kind text NOT NULL,
    credential_id uuid NOT NULL,
    last_run_at timestamptz,
    created_by uuid,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
) WITH (fillfactor = 70);
CREATE UNIQUE INDEX report_templates_name_key ON report_templates (domain_id, name_key);
CREATE INDEX report_templates_due_idx ON report_templates (next_run_at);
CREATE INDEX report_templates_leased_idx ON report_templates (leased_until) WHERE leased_until IS NOT NULL;
CREATE INDEX report_templates_turns_idx ON report_templates (workspace_id, next_run_at);
COMMENT ON TABLE report_templates IS
    'Which reports are made of a domain, how they look, and when they are made by themselves. Kept for as long as the domain.';
COMMENT ON COLUMN report_templates.name_key IS 'The name without case: the only one of its domain.';
COMMENT ON COLUMN report_templates.sections IS 'Sections and widgets in the order of display, with the version of their form.';
COMMENT ON COLUMN report_templates.branding IS 'The URL of the logo, and the accent colour.';
COMMENT ON COLUMN report_templates.schedule IS 'Null: no report is made by itself.';
COMMENT ON COLUMN report_templates.next_run_at IS 'When the next report is due; null: none is.';
COMMENT ON COLUMN report_templates.credential_id IS
    'Who chose the settings last, in whose name reports are made by themselves. No foreign key: a template outlives its credential.';
COMMENT ON COLUMN report_templates.created_by IS 'The user behind that of whoever made it. No foreign key, for the same reason.';

CREATE TABLE report_runs (
    run_id uuid PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
    template_id uuid REFERENCES report_templates (id) ON DELETE SET NULL,
    template_name text NOT NULL,
    trigger text NOT NULL CHECK (trigger IN ('api', 'dashboard', 'schedule')),
    format text NOT NULL CHECK (format IN ('pdf', 'html', 'csv', 'json')),
    period text,
    first_day date NOT NULL,
    last_day date NOT NULL,
    ordered jsonb NOT NULL,
    result jsonb,
    has_result boolean NOT NULL DEFAULT false,
    CHECK (first_day <= last_day),
    CHECK (NOT has_result OR result IS NOT NULL)
) WITH (fillfactor = 70);
CREATE INDEX report_runs_template_id_idx ON report_runs (template_id);
CREATE INDEX report_runs_results_idx ON report_runs (run_id) WHERE has_result;
COMMENT ON TABLE report_runs IS
    'The parts of a run of a report beside those that every run has. A row goes with its run, a year after its end.';
COMMENT ON COLUMN report_runs.ordered IS 'All that the report is made from, as it was when it was asked for.';
COMMENT ON COLUMN report_runs.result IS 'Size, pages and digest of the result; null until it is there. It stays when the result goes.';
COMMENT ON COLUMN report_runs.has_result IS 'Whether the result lies in object storage: upkeep takes it out there first.';
