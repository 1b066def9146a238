-- Takes back the words and the places of kinds of runs.
-- Locks: ACCESS EXCLUSIVE on the table that goes.

DROP TABLE run_kinds;
