-- Takes wide pulls back, rows and all.
-- Locks: ACCESS EXCLUSIVE on the tables that go, and on runs for a moment.

DROP TABLE wide_pull_rows;
DROP TABLE wide_pulls;
