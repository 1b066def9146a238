-- A job that was put off by a clock which has been set back since is known by the moment of that.
-- Locks: ACCESS EXCLUSIVE on jobs for a moment.

ALTER TABLE jobs ADD COLUMN settled_at timestamptz;
COMMENT ON COLUMN jobs.settled_at IS 'When the last attempt ended. Null: none has, or an older version saw it end.';
