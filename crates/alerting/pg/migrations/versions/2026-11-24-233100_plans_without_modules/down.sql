UPDATE alert_history SET end_reason = 'over' WHERE end_reason = 'module_off';
ALTER TABLE alert_history
    DROP CONSTRAINT alert_history_end_reason_check,
    ADD CONSTRAINT alert_history_end_reason_check CHECK (end_reason IN ('over', 'monitor_paused', 'rule_changed',
        'rule_disabled', 'rule_deleted', 'domain_deleted'));
