-- Locks: SHARE ROW EXCLUSIVE on api_key_secrets for a moment.

CREATE OR REPLACE TRIGGER notify_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE
    ON api_key_secrets FOR EACH STATEMENT EXECUTE FUNCTION notify_change();
