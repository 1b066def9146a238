-- Takes back where changes were made from, data and all.
-- Locks: ACCESS EXCLUSIVE on audit_log for a moment.

ALTER TABLE audit_log DROP COLUMN source, DROP COLUMN workspace_id;
