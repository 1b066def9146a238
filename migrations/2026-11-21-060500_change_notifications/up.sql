-- Tells every node when something changes that it keeps in memory: what a credential reaches, and switches.
-- Locks: SHARE ROW EXCLUSIVE on each of the tables for a moment.

CREATE FUNCTION notify_change() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('pharos_changes', TG_TABLE_NAME);
    RETURN NULL;
END
$$;
COMMENT ON FUNCTION notify_change () IS 'NOTIFY pharos_changes with the name of the table.';

-- last_used_at is left out: it changes all the time, and nothing that is kept in memory holds it.
CREATE TRIGGER notify_change
    AFTER INSERT OR DELETE OR TRUNCATE
    OR UPDATE OF id, workspace_id, created_by, name, scopes, allowlist, created_at, expires_at, revoked_at
    ON api_keys FOR EACH STATEMENT EXECUTE FUNCTION notify_change();
CREATE TRIGGER notify_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE
    ON api_key_secrets FOR EACH STATEMENT EXECUTE FUNCTION notify_change();
CREATE TRIGGER notify_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE
    ON users FOR EACH STATEMENT EXECUTE FUNCTION notify_change();
CREATE TRIGGER notify_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE
    ON members FOR EACH STATEMENT EXECUTE FUNCTION notify_change();
CREATE TRIGGER notify_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE
    ON plans FOR EACH STATEMENT EXECUTE FUNCTION notify_change();
CREATE TRIGGER notify_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE
    ON workspaces FOR EACH STATEMENT EXECUTE FUNCTION notify_change();
CREATE TRIGGER notify_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE
    ON domains FOR EACH STATEMENT EXECUTE FUNCTION notify_change();
CREATE TRIGGER notify_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE
    ON switches FOR EACH STATEMENT EXECUTE FUNCTION notify_change();
