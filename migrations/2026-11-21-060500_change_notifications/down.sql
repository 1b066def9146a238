-- Nodes are no longer told of changes.
-- Locks: ACCESS EXCLUSIVE on each of the tables for a moment.

DROP FUNCTION notify_change () CASCADE;
