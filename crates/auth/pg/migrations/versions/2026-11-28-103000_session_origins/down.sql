-- Sessions no longer know where they began.
-- Locks: ACCESS EXCLUSIVE on sessions for a moment.

ALTER TABLE sessions DROP COLUMN source, DROP COLUMN browser;
