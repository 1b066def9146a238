-- Locks: SHARE on alert_history while the index is made, then ACCESS EXCLUSIVE for a moment.

CREATE INDEX alert_history_workspace_idx ON alert_history (workspace_id, fired_at, id);
DROP INDEX alert_history_newest_idx, alert_history_in_force_idx;
