-- Takes the names of sites, salts and counts of bots back, data and all.
-- Locks: ACCESS EXCLUSIVE on the tables that go, and on domains for a moment.

DROP TABLE collect_bots;
DROP TABLE collect_salts;
DROP TABLE collect_sites;
