-- Takes accounts back, data and all.
-- Locks: ACCESS EXCLUSIVE on the tables that go.

DROP TABLE quota_usage;
DROP TABLE domains;
DROP TABLE members;
DROP TABLE workspaces;
DROP TABLE users;
DROP TABLE plan_quotas;
DROP TABLE plans;
