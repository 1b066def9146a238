-- Second factors no longer say which session began them.
-- Locks: ACCESS EXCLUSIVE on second_factors for a moment.

ALTER TABLE second_factors DROP COLUMN begun_by;
