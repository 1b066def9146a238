-- Locks: SHARE ROW EXCLUSIVE on oauth_signing_keys for a moment.

CREATE OR REPLACE TRIGGER notify_change AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE
    ON oauth_signing_keys FOR EACH STATEMENT EXECUTE FUNCTION notify_change();
