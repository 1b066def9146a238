-- Nodes hear of each revocation again, and of no client.
-- Locks: ACCESS EXCLUSIVE on oauth_clients and oauth_grants for a moment.

DROP TRIGGER notify_truncation ON oauth_clients;
DROP TRIGGER notify_change ON oauth_clients;
DROP TRIGGER notify_truncation ON oauth_grants;
DROP TRIGGER notify_change ON oauth_grants;
CREATE TRIGGER notify_change AFTER DELETE OR TRUNCATE OR UPDATE OF revoked_at
    ON oauth_grants FOR EACH STATEMENT EXECUTE FUNCTION notify_change();
COMMENT ON TABLE oauth_grants IS 'What users granted to apps.';
ALTER TABLE oauth_clients DROP COLUMN granted_at;
