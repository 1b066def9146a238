COMMENT ON INDEX notifications_kind_idx IS NULL;
CREATE INDEX notifications_workspace_idx ON notifications (workspace_id, created_at, id);
