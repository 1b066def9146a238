-- Locks: SHARE ROW EXCLUSIVE on oauth_grants for a moment.

-- A new grant changes nothing that is kept in memory; only what ends one does.
-- A trigger for each statement fires where no row is touched, too: whoever repeats a revocation would have every node
-- drop what it knows.
CREATE OR REPLACE TRIGGER notify_change AFTER DELETE OR UPDATE OF revoked_at
    ON oauth_grants FOR EACH ROW EXECUTE FUNCTION notify_change();
CREATE OR REPLACE TRIGGER notify_truncation AFTER TRUNCATE
    ON oauth_grants FOR EACH STATEMENT EXECUTE FUNCTION notify_change();
