-- Takes the index of a workspace's jobs away, and what is said of the audit trail.
-- Locks: ACCESS EXCLUSIVE on jobs for a moment.

COMMENT ON TABLE audit_log IS 'Who changed what outside the public API. Only ever added to.';
DROP INDEX jobs_of_workspace_idx;
