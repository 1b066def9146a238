-- The last refused requests of each workspace, for those who look after it.
-- Locks: creates a table only; the reference takes SHARE ROW EXCLUSIVE on workspaces for a moment.

CREATE TABLE refused_requests (
    workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    at timestamptz NOT NULL,
    request_id uuid NOT NULL,
    credential_id uuid NOT NULL,
    operation text,
    problem text NOT NULL CHECK (problem <> ''),
    about text,
    source inet,
    PRIMARY KEY (workspace_id, at, request_id)
);
CREATE INDEX refused_requests_at_idx ON refused_requests (at);
COMMENT ON TABLE refused_requests IS
    'The last 200 refused requests of each workspace, for 7 days. They hold nothing that the caller chose: no path, no query, no body. The primary key, read backwards, serves the list.';
COMMENT ON COLUMN refused_requests.workspace_id IS 'The workspace that would have paid.';
COMMENT ON COLUMN refused_requests.at IS 'When it was refused.';
COMMENT ON COLUMN refused_requests.request_id IS 'By which logs have it.';
COMMENT ON COLUMN refused_requests.credential_id IS 'The key or grant that called. No foreign key: it may be gone before the row is written.';
COMMENT ON COLUMN refused_requests.operation IS
    'The id of the operation; null: the path leads to none. Operations come with the versions of Pharos, so no CHECK.';
COMMENT ON COLUMN refused_requests.problem IS 'The suffix of the problem that was answered.';
COMMENT ON COLUMN refused_requests.about IS
    'Its subject: why a known credential is refused, the scope that lacks, the bucket that is empty; null: nothing more is known.';
COMMENT ON COLUMN refused_requests.source IS 'The address that it came from; null: not known.';
