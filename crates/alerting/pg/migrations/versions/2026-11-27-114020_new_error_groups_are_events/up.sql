-- New kinds of errors are events, which have no window and no sample.
-- Locks: the rows of rules that count them.

UPDATE alert_rules
SET evaluation_window = 'latest', min_sample = NULL
WHERE module = 'rum' AND metric = 'new_error_groups';
