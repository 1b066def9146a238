-- The days of the data that rules fired by.
-- Locks: ACCESS EXCLUSIVE on alert_evaluations for a moment.

ALTER TABLE alert_evaluations ADD COLUMN told_through date;
COMMENT ON COLUMN alert_evaluations.told_through IS
    'The last day of the data that it fired by last, so that the same data are told once. Null: it did not fire, or its data have no day.';
