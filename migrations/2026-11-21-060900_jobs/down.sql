-- Takes the queue back, jobs and all.
-- Locks: ACCESS EXCLUSIVE on the table that goes.

DROP TABLE jobs;
