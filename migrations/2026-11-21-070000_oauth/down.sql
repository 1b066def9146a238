-- Takes back apps, grants and signing keys.
-- Locks: ACCESS EXCLUSIVE on the tables that go, and on users for a moment.

DROP TABLE oauth_signing_keys;
DROP TABLE oauth_refresh_tokens;
DROP TABLE oauth_codes;
DROP TABLE oauth_decisions;
DROP TABLE oauth_grants;
DROP TABLE oauth_clients;
