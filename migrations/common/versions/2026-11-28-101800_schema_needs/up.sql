-- Which migrations a program must have, so that one of an older release does not work on tables that it can't live with.
-- Locks: creates a table only.

CREATE TABLE schema_needs (
    migration text PRIMARY KEY CHECK (migration <> '')
);
COMMENT ON TABLE schema_needs IS
    'The migrations that ran and that programs without them can''t live with. Each is written in the transaction of the migration. A program that lacks one is refused when it starts.';
COMMENT ON COLUMN schema_needs.migration IS 'The name of its folder.';
