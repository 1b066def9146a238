UPDATE alert_history SET end_reason = 'over' WHERE end_reason = 'monitor_paused';
ALTER TABLE alert_history
    DROP CONSTRAINT alert_history_end_reason_check,
    ADD CONSTRAINT alert_history_end_reason_check
        CHECK (end_reason IN ('over', 'rule_changed', 'rule_disabled', 'rule_deleted', 'domain_deleted'));
