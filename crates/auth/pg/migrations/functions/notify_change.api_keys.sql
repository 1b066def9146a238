-- Locks: SHARE ROW EXCLUSIVE on api_keys for a moment.

-- last_used_at is left out: it changes all the time, and nothing that is kept in memory holds it.
CREATE OR REPLACE TRIGGER notify_change
    AFTER INSERT OR DELETE OR TRUNCATE
    OR UPDATE OF id, workspace_id, created_by, name, scopes, allowlist, created_at, expires_at, revoked_at
    ON api_keys FOR EACH STATEMENT EXECUTE FUNCTION notify_change();
