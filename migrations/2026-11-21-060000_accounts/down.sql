-- Takes accounts back, data and all.
-- Locks: ACCESS EXCLUSIVE on the tables that go.

DROP TABLE domains;
DROP TABLE members;
DROP TABLE workspaces;
DROP TABLE users;
DROP TABLE plans;
