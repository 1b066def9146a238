-- Locks: ACCESS EXCLUSIVE on alert_rules for a moment.

DROP INDEX alert_rules_found_idx;
