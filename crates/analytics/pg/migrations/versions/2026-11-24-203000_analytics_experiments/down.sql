-- Takes experiments back, evaluations and all.
-- Locks: ACCESS EXCLUSIVE on the tables that go, and on domains and users for a moment.

DROP TABLE analytics_evaluations;
DROP TABLE analytics_experiments;
