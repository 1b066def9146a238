-- Where changes were made from, and which workspace they are about.
-- Locks: ACCESS EXCLUSIVE on audit_log while columns without a default are added, its rows are filled in, and an index is
-- built; it has a row a change of an operator's, so that is a moment.

ALTER TABLE audit_log ADD COLUMN source inet, ADD COLUMN workspace_id uuid;
COMMENT ON COLUMN audit_log.source IS 'The address of who made it; null: at the command line, or by Pharos itself.';
COMMENT ON COLUMN audit_log.workspace_id IS 'The workspace that it is about, which may be gone; null: none, or several.';

UPDATE audit_log
SET workspace_id = CASE WHEN subject_kind IN ('workspace', 'member') THEN subject_id ELSE details ->> 'workspace_id' END::uuid;
UPDATE audit_log AS later
SET workspace_id = named.workspace_id
FROM audit_log AS named
WHERE later.workspace_id IS NULL
    AND named.workspace_id IS NOT NULL
    AND named.subject_kind = later.subject_kind
    AND named.subject_id = later.subject_id;

CREATE INDEX audit_log_workspace_id_idx ON audit_log (workspace_id, at DESC, id DESC) WHERE workspace_id IS NOT NULL;
