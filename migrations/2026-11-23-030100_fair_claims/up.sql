-- Schedule and queue say whose each check and each job is, so that a claim can look at what every workspace has due.
-- Locks: ACCESS EXCLUSIVE on uptime_schedules while its rows are written anew and indexed, and on jobs while an index is
-- made. Jobs that are in the queue already are nobody's.

ALTER TABLE uptime_schedules ADD COLUMN workspace_id uuid;
UPDATE uptime_schedules AS s SET workspace_id = d.workspace_id FROM domains AS d WHERE d.id = s.domain_id;
ALTER TABLE uptime_schedules ALTER COLUMN workspace_id SET NOT NULL;
CREATE INDEX uptime_schedules_turns_idx ON uptime_schedules (region, workspace_id, next_check_at);
COMMENT ON COLUMN uptime_schedules.workspace_id IS
    'The domain''s, which never changes; a trigger reads it. Claims share what is due among workspaces.';

CREATE FUNCTION schedule_for_workspace() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    SELECT d.workspace_id INTO NEW.workspace_id FROM domains AS d WHERE d.id = NEW.domain_id;
    RETURN NEW;
END
$$;
COMMENT ON FUNCTION schedule_for_workspace() IS 'Notes whose the check is.';
CREATE TRIGGER schedule_for_workspace BEFORE INSERT ON uptime_schedules
    FOR EACH ROW EXECUTE FUNCTION schedule_for_workspace();

ALTER TABLE jobs ADD COLUMN workspace_id uuid;
CREATE INDEX jobs_turns_idx ON jobs (lane, workspace_id, coalesce(leased_until, run_at))
    WHERE state IN ('queued', 'running');
COMMENT ON COLUMN jobs.workspace_id IS 'Whose it is; claims share the room among workspaces. Null: nobody''s.';
