-- The wide pulls of analytics are kept where those of all modules are.
-- Locks: ACCESS EXCLUSIVE on the tables that go, and on runs for a moment.

INSERT INTO wide_pulls (run_id, report, first_day, last_day, asked, total_rows, is_truncated, has_rows)
SELECT run_id, report, first_day, last_day, filters, total_rows, is_truncated, has_rows
FROM analytics_report_runs;

INSERT INTO wide_pull_rows (run_id, place, cells)
SELECT run_id, place, cells
FROM analytics_report_rows;

DROP TABLE analytics_report_rows;
DROP TABLE analytics_report_runs;
