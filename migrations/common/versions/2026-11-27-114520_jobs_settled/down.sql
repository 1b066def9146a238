-- Locks: ACCESS EXCLUSIVE on jobs for a moment.

ALTER TABLE jobs DROP COLUMN settled_at;
