-- Rules that are put off.
-- Locks: ACCESS EXCLUSIVE on alert_evaluations for a moment.

ALTER TABLE alert_evaluations ADD COLUMN put_off_until timestamptz;
COMMENT ON COLUMN alert_evaluations.put_off_until IS
    'It could not be read or stored the last time, and waits until then, whatever happens to its site. Null: it was not put off.';
