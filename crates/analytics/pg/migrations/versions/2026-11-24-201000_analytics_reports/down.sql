-- Takes wide pulls back, rows and all.
-- Locks: ACCESS EXCLUSIVE on the tables that go, and on runs for a moment.

DROP TABLE analytics_report_rows;
DROP TABLE analytics_report_runs;
