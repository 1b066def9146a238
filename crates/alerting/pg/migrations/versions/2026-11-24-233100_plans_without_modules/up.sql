-- Alerts end with the module that the plan takes away.
-- Locks: ACCESS EXCLUSIVE on alert_history for a moment.

ALTER TABLE alert_history
    DROP CONSTRAINT alert_history_end_reason_check,
    ADD CONSTRAINT alert_history_end_reason_check CHECK (end_reason IN ('over', 'monitor_paused', 'module_off', 'rule_changed',
        'rule_disabled', 'rule_deleted', 'domain_deleted')) NOT VALID;
ALTER TABLE alert_history VALIDATE CONSTRAINT alert_history_end_reason_check;
