-- Registrations are claimed as checks are: workspaces take turns where there is not room for all.
-- Locks: ACCESS EXCLUSIVE on domain_registrations while its rows are updated; it has one for each registered name.

ALTER TABLE domain_registrations ADD COLUMN workspace_id uuid;
COMMENT ON COLUMN domain_registrations.workspace_id IS
    'Whose turn asking takes: the workspace whose domain brought the name first. Null: nobody''s.';

UPDATE domain_registrations AS r
SET workspace_id = (
    SELECT d.workspace_id
    FROM uptime_monitors AS m
    JOIN domains AS d ON d.id = m.domain_id
    WHERE m.registrable_domain = r.name
    ORDER BY m.created_at, m.domain_id
    LIMIT 1
);

CREATE INDEX domain_registrations_leased_idx ON domain_registrations (leased_until) WHERE leased_until IS NOT NULL;
CREATE INDEX domain_registrations_turns_idx ON domain_registrations (workspace_id, next_check_at);
