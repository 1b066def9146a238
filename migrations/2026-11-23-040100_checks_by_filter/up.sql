-- However rare the checks of a region or an outcome are, a page of them is read by an index; so are the incidents of a
-- class. What is equal is hashed into one column: that is half as large as the columns, and an index that nothing else
-- can stand in for, since the planner takes what is rare in one domain for frequent where it is in all others.
-- Locks: SHARE on uptime_checks, all of its partitions and uptime_incidents while the indexes are built: writers wait.

CREATE INDEX uptime_checks_found_idx ON uptime_checks
    (hashtextextended(region || ' ' || outcome, uuid_hash_extended(domain_id, 0)), checked_at, id);
COMMENT ON INDEX uptime_checks_found_idx IS 'Serves lists of one region, one outcome, or both: a page of each pair of them.';
CREATE INDEX uptime_incidents_class_idx ON uptime_incidents
    (hashtextextended(class, uuid_hash_extended(domain_id, 0)), started_at, id);
COMMENT ON INDEX uptime_incidents_class_idx IS 'Serves lists of one class.';
