-- Takes quotas back, limits and use and all.
-- Locks: ACCESS EXCLUSIVE on the tables that go, and on plans and workspaces for a moment.

DROP TABLE quota_usage;
DROP TABLE plan_quotas;
