-- The index by which upkeep finds old alerts holds those that are over, so that lists of a workspace can't be read by it.
-- Locks: SHARE on alert_history while the index is made, then ACCESS EXCLUSIVE for a moment.

CREATE INDEX alert_history_over_idx ON alert_history (fired_at) WHERE resolved_at IS NOT NULL;
DROP INDEX alert_history_fired_idx;
