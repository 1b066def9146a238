-- Locks: SHARE ROW EXCLUSIVE on uptime_schedules for a moment.

CREATE OR REPLACE FUNCTION schedule_for_workspace() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    SELECT d.workspace_id INTO NEW.workspace_id FROM domains AS d WHERE d.id = NEW.domain_id;
    RETURN NEW;
END
$$;
COMMENT ON FUNCTION schedule_for_workspace() IS 'Notes whose the check is.';

CREATE OR REPLACE TRIGGER schedule_for_workspace BEFORE INSERT ON uptime_schedules
    FOR EACH ROW EXECUTE FUNCTION schedule_for_workspace();
