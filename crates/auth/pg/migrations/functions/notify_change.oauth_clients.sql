-- Locks: SHARE ROW EXCLUSIVE on oauth_clients for a moment.

-- For each row, as on oauth_grants: a client that is verified once more tells nobody.
CREATE OR REPLACE TRIGGER notify_change AFTER DELETE OR UPDATE OF verified_at
    ON oauth_clients FOR EACH ROW EXECUTE FUNCTION notify_change();
CREATE OR REPLACE TRIGGER notify_truncation AFTER TRUNCATE
    ON oauth_clients FOR EACH STATEMENT EXECUTE FUNCTION notify_change();
