-- Notices: what people of a workspace should know, until the end of the transaction that knows it.
-- Locks: a new table.

CREATE TABLE notices (
    id uuid PRIMARY KEY,
    workspace_id uuid NOT NULL,
    domain_id uuid,
    kind text NOT NULL CHECK (kind IN ('alert', 'report_ready', 'report_failed', 'run_finished',
        'module_disconnected', 'quota_warning', 'subscription', 'announcement')),
    severity text NOT NULL CHECK (severity IN ('info', 'warning', 'critical')),
    module text,
    title text NOT NULL,
    body text NOT NULL,
    data jsonb NOT NULL,
    resource_path text,
    created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE notices IS
    'News that people of a workspace should know. Whoever knows some writes it in the transaction of the change; a trigger of alerting makes notifications of it and takes it out again, so the table is empty.';
COMMENT ON COLUMN notices.workspace_id IS
    'No foreign keys: a row is gone before its transaction is, and notifications have them.';
COMMENT ON COLUMN notices.domain_id IS 'Null: it is about the workspace.';
COMMENT ON COLUMN notices.kind IS 'As notifications have it, except that alerts never come this way.';
COMMENT ON COLUMN notices.resource_path IS 'The path of the API to look at next.';
