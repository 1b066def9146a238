-- Roll-ups of quarters: of a year's read three instead of nine months.
-- Locks: ACCESS EXCLUSIVE on the tables of roll-ups, for as long as it takes to look at their rows. They are made anew by
-- the upkeep; until it has done so, reads look at every check.

ALTER TABLE uptime_rollups
    DROP CONSTRAINT uptime_rollups_grain_check,
    ADD CONSTRAINT uptime_rollups_grain_check CHECK (grain IN ('hour', 'day', 'month', 'quarter'));
ALTER TABLE uptime_distributions
    DROP CONSTRAINT uptime_distributions_grain_check,
    ADD CONSTRAINT uptime_distributions_grain_check CHECK (grain IN ('hour', 'day', 'month', 'quarter'));
UPDATE uptime_rollup_progress SET rolled_until = NULL;
COMMENT ON TABLE uptime_rollups IS
    'What the checks of each hour, day, month and quarter of a year come to, seen from one region. Of checks that passed also the times.';
COMMENT ON COLUMN uptime_rollups.grain IS 'A month or quarter has a row once all of it is rolled up.';
COMMENT ON COLUMN uptime_rollups.starts_at IS 'When the hour, day, month or quarter begins, UTC.';
