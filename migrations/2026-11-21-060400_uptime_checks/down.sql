-- Takes checks back, data and all.
-- Locks: ACCESS EXCLUSIVE on the table and its partitions, and on domains for a moment.

DROP FUNCTION ensure_uptime_check_partitions (timestamptz);
DROP TABLE uptime_checks;
