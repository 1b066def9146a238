-- Real-user monitoring: the version of the script that measures a site.
-- Locks: adds a column without a value, which takes ACCESS EXCLUSIVE on a small table for a moment.

ALTER TABLE rum_progress ADD COLUMN beacon_version text CHECK (octet_length(beacon_version) <= 32);
COMMENT ON COLUMN rum_progress.beacon_version IS
    'The version of the script that measured the last view, to within a minute. Null: no beacon has told one.';
