-- Locks: ACCESS EXCLUSIVE on users for a moment.

ALTER TABLE users DROP COLUMN is_operator;
