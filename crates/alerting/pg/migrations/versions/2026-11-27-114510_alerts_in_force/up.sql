-- Alerts in force by their domain, and those of a workspace with the domain, which lists filter by.
-- Locks: SHARE on alert_history while the indexes are made, then ACCESS EXCLUSIVE for a moment.

CREATE INDEX alert_history_in_force_idx ON alert_history (domain_id, fired_at, id) WHERE resolved_at IS NULL;
CREATE INDEX alert_history_newest_idx ON alert_history (workspace_id, fired_at, id) INCLUDE (domain_id);
DROP INDEX alert_history_workspace_idx;
