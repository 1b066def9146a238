-- Upkeep finds old alerts among all.
-- Locks: SHARE on alert_history while the index is made, then ACCESS EXCLUSIVE for a moment.

CREATE INDEX alert_history_fired_idx ON alert_history (fired_at);
DROP INDEX alert_history_over_idx;
