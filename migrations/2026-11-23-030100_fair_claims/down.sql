DROP INDEX jobs_turns_idx;
ALTER TABLE jobs DROP COLUMN workspace_id;
DROP TRIGGER schedule_for_workspace ON uptime_schedules;
DROP FUNCTION schedule_for_workspace();
DROP INDEX uptime_schedules_turns_idx;
ALTER TABLE uptime_schedules DROP COLUMN workspace_id;
