-- Domains are erased with all their data once they can't be restored any more.
-- Locks: ACCESS EXCLUSIVE on domains for a moment, SHARE while the index of the deleted ones is made.

ALTER TABLE domains
    ADD COLUMN erasing_at timestamptz,
    ADD CONSTRAINT domains_erasing_check CHECK (erasing_at IS NULL OR deleted_at IS NOT NULL);
CREATE INDEX domains_deleted_at_idx ON domains (deleted_at) WHERE deleted_at IS NOT NULL;
COMMENT ON TABLE domains IS
    'The sites that a workspace has monitored. One that is deleted can be restored for 30 days; then it is erased with all its data.';
COMMENT ON COLUMN domains.erasing_at IS 'When its data began to be erased, from when on it can''t be restored.';
