-- Locks: ACCESS EXCLUSIVE on domains for a moment.

COMMENT ON TABLE domains IS 'The sites that a workspace has monitored. Deleted softly: their history stays.';
DROP INDEX domains_deleted_at_idx;
ALTER TABLE domains
    DROP CONSTRAINT domains_erasing_check,
    DROP COLUMN erasing_at;
