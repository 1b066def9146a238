-- Takes roll-ups back, data and all; the checks stay.
-- Locks: ACCESS EXCLUSIVE on the tables that go, and on domains for a moment.

DROP FUNCTION uptime_distribution (uuid, text, text, timestamptz, timestamptz);
DROP FUNCTION uptime_rollup (uuid, text, timestamptz, timestamptz);
DROP FUNCTION three_digits (bigint);
DROP TABLE uptime_rollup_progress;
DROP TABLE uptime_distributions;
DROP TABLE uptime_rollups;
