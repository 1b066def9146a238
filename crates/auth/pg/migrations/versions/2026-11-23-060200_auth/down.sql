-- Takes back credentials, apps and sign-in, data and all.
-- Locks: ACCESS EXCLUSIVE on the tables that go, and on workspaces and users for a moment.

DROP TABLE sign_in_links;
DROP TABLE sessions;
DROP TABLE user_passwords;
DROP TABLE oauth_signing_keys;
DROP TABLE oauth_refresh_tokens;
DROP TABLE oauth_codes;
DROP TABLE oauth_decisions;
DROP TABLE oauth_grants;
DROP TABLE oauth_clients;
DROP TABLE api_key_secrets;
DROP TABLE api_keys;
