-- Takes credits back, log and all.
-- Locks: ACCESS EXCLUSIVE on the tables that go and on members, and on workspaces for a moment.

DROP FUNCTION settle_charges (uuid[], timestamptz[], uuid[], uuid[], uuid[], uuid[], text[], smallint[], integer[], text[], boolean);
DROP TRIGGER open_credit_balance ON workspaces;
DROP FUNCTION open_credit_balance ();
DROP TABLE credit_log;
DROP TABLE credit_member_usage;
DROP TABLE credit_balances;
DROP FUNCTION credit_cycle (date, timestamptz);
ALTER TABLE members DROP COLUMN credit_cap;
