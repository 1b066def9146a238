-- Recipients of reports, how often they were asked, and reports on their way to them.
-- Locks: ACCESS EXCLUSIVE on report_templates and report_runs for a moment, since a constant is no rewrite; the references take
-- SHARE ROW EXCLUSIVE on workspaces for a moment.

ALTER TABLE report_templates ADD COLUMN recipients_count integer NOT NULL DEFAULT 0;
COMMENT ON COLUMN report_templates.recipients_count IS
    'How many recipients said yes and have not unsubscribed; a trigger on report_recipients counts them.';

ALTER TABLE report_runs ADD COLUMN is_mailed boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN report_runs.is_mailed IS 'Whether the report goes to the recipients of its template once it is made.';

CREATE TABLE report_recipients (
    id uuid PRIMARY KEY,
    template_id uuid NOT NULL REFERENCES report_templates (id) ON DELETE CASCADE,
    address text NOT NULL CHECK (address <> ''),
    address_key text NOT NULL,
    asked_at timestamptz NOT NULL,
    asked_until timestamptz NOT NULL,
    link_digest bytea,
    confirmed_at timestamptz,
    unsubscribed_at timestamptz,
    unsubscribe_token uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
    CHECK (link_digest IS NULL OR confirmed_at IS NULL)
);
CREATE UNIQUE INDEX report_recipients_address_key ON report_recipients (template_id, address_key);
CREATE UNIQUE INDEX report_recipients_link_key ON report_recipients (link_digest);
CREATE INDEX report_recipients_lapsed_idx ON report_recipients (asked_until) WHERE confirmed_at IS NULL;
COMMENT ON TABLE report_recipients IS
    'People whom the reports of a template are mailed to, once they said that they want them. They go with their template.';
COMMENT ON COLUMN report_recipients.address_key IS 'The address without case: the only one of its template.';
COMMENT ON COLUMN report_recipients.asked_until IS 'Until when they may say yes.';
COMMENT ON COLUMN report_recipients.link_digest IS
    'The SHA-256 of the secret in the link of the last question. Null: it is not mailed yet, or they have answered.';
COMMENT ON COLUMN report_recipients.unsubscribe_token IS 'Random; stands in the link by which they end the mails.';

CREATE TABLE report_questions (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL REFERENCES workspaces (id),
    address_digest bytea NOT NULL,
    is_refusal boolean NOT NULL,
    at timestamptz NOT NULL
);
CREATE INDEX report_questions_workspace_idx ON report_questions (workspace_id, at);
CREATE INDEX report_questions_address_idx ON report_questions (address_digest, at);
CREATE INDEX report_questions_at_idx ON report_questions (at);
COMMENT ON TABLE report_questions IS
    'How often addresses were asked whether they want reports, and which want none: so that nobody is asked too often. Kept for 90 days.';
COMMENT ON COLUMN report_questions.address_digest IS 'The SHA-256 of the address without case. The address itself is not kept.';
COMMENT ON COLUMN report_questions.is_refusal IS 'Whether they unsubscribed; otherwise they were asked.';

CREATE TABLE report_deliveries (
    id uuid PRIMARY KEY,
    run_id uuid NOT NULL REFERENCES report_runs (run_id) ON DELETE CASCADE,
    recipient_id uuid NOT NULL REFERENCES report_recipients (id) ON DELETE CASCADE,
    state text NOT NULL CHECK (state IN ('queued', 'sent', 'failed', 'dropped')),
    attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    last_error text,
    created_at timestamptz NOT NULL,
    ended_at timestamptz,
    UNIQUE (run_id, recipient_id),
    CHECK ((state = 'queued') = (ended_at IS NULL))
) WITH (fillfactor = 70);
CREATE INDEX report_deliveries_recipient_idx ON report_deliveries (recipient_id);
CREATE INDEX report_deliveries_queued_idx ON report_deliveries (created_at) WHERE state = 'queued';
COMMENT ON TABLE report_deliveries IS
    'Each report on its way to each recipient. The job of the same id sends it. It goes with its run and with its recipient.';
COMMENT ON COLUMN report_deliveries.state IS 'Dropped: there was no longer anything to send, or nobody who wanted it.';
