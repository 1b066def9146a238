-- Takes the shared secrets back; what was made with them is no longer recognised.
-- Locks: ACCESS EXCLUSIVE on the table that goes.

DROP TABLE shared_secrets;
