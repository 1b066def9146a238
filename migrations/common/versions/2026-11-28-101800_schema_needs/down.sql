-- Takes back which migrations a program must have.
-- Locks: ACCESS EXCLUSIVE on the table that goes.

DROP TABLE schema_needs;
