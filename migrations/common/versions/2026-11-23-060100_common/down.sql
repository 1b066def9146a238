-- Takes back what all groups use, data and all.
-- Locks: ACCESS EXCLUSIVE on the tables that go, and on workspaces for a moment.

DROP TABLE set_aside;
DROP TABLE shared_secrets;
DROP TABLE jobs;
DROP TABLE idempotency_records;
DROP TABLE credit_log;
DROP TABLE credit_member_usage;
DROP TABLE credit_balances;
DROP TABLE audit_log;
DROP TABLE switches;
DROP TABLE schema_functions;
