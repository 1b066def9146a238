-- Locks: the rows of rules that count them.

UPDATE alert_rules
SET evaluation_window = '1h'
WHERE module = 'rum' AND metric = 'new_error_groups';
