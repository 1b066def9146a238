-- Takes passwords, sessions and links back.
-- Locks: ACCESS EXCLUSIVE on the tables that go, and on users for a moment.

DROP TABLE sign_in_links;
DROP TABLE sessions;
DROP TABLE user_passwords;
