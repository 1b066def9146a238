-- Takes back the roll-ups of quarters; the others stay.
-- Locks: ACCESS EXCLUSIVE on the tables of roll-ups, for as long as it takes to look at their rows.

DELETE FROM uptime_rollups WHERE grain = 'quarter';
DELETE FROM uptime_distributions WHERE grain = 'quarter';
ALTER TABLE uptime_rollups
    DROP CONSTRAINT uptime_rollups_grain_check,
    ADD CONSTRAINT uptime_rollups_grain_check CHECK (grain IN ('hour', 'day', 'month'));
ALTER TABLE uptime_distributions
    DROP CONSTRAINT uptime_distributions_grain_check,
    ADD CONSTRAINT uptime_distributions_grain_check CHECK (grain IN ('hour', 'day', 'month'));
COMMENT ON TABLE uptime_rollups IS
    'What the checks of each hour, day and month come to, seen from one region. Of checks that passed also the times.';
COMMENT ON COLUMN uptime_rollups.grain IS 'A month has a row once all of it is rolled up.';
COMMENT ON COLUMN uptime_rollups.starts_at IS 'When the hour, day or month begins, UTC.';
