DROP TABLE alert_history;
DROP TABLE notification_reads;
DROP TABLE notification_read_marks;
DROP TABLE notifications;
DROP TABLE alert_wakes;
DROP TABLE alert_pending_events;
DROP TABLE alert_evaluations;
DROP TABLE alert_rules;
