-- People of a workspace look through its jobs, one state at a time; the audit trail is kept for two years.
-- Locks: SHARE on jobs, a table that keeps a few days, while an index is made: nothing is enqueued or claimed meanwhile.

CREATE INDEX jobs_of_workspace_idx ON jobs (workspace_id, state, id DESC) WHERE workspace_id IS NOT NULL;
COMMENT ON TABLE audit_log IS 'Who changed what outside the public API. No row is ever changed; each is kept for two years.';
