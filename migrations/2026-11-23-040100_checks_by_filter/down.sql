-- Takes the indexes back.
-- Locks: ACCESS EXCLUSIVE on uptime_checks, its partitions and uptime_incidents for a moment.

DROP INDEX uptime_incidents_class_idx;
DROP INDEX uptime_checks_found_idx;
