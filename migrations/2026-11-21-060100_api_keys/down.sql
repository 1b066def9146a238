-- Takes API keys back, data and all.
-- Locks: ACCESS EXCLUSIVE on the tables that go, and on workspaces and users for a moment.

DROP TABLE api_key_secrets;
DROP TABLE api_keys;
