-- Takes the failures of upkeep back.
-- Locks: ACCESS EXCLUSIVE on the table that goes.

DROP TABLE upkeep_failures;
