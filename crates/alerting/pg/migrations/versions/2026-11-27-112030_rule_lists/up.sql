-- Lists of the rules of workspaces, by module and by whether they are enabled.
-- Locks: SHARE on alert_rules while the index is made.

CREATE INDEX alert_rules_found_idx ON alert_rules (workspace_id, module, enabled, created_at, id)
    INCLUDE (domain_id);
COMMENT ON INDEX alert_rules_found_idx IS
    'Serves lists of the rules of workspaces by module and by whether they are enabled: a page of each pair of them.';
