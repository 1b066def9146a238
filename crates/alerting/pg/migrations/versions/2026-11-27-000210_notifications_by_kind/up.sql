-- The notifications of a workspace by their kinds, with all that lists filter by.
-- Locks: SHARE on notifications while the index is made.

CREATE INDEX notifications_kind_idx ON notifications (workspace_id, kind, created_at, id)
    INCLUDE (domain_id, severity, module);
