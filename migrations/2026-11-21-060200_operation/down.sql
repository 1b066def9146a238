-- Takes switches and the audit log back, data and all.
-- Locks: ACCESS EXCLUSIVE on the tables that go.

DROP TABLE audit_log;
DROP TABLE switches;
