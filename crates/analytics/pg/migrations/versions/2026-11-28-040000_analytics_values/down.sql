-- Locks: ACCESS EXCLUSIVE on analytics_values for a moment.

ALTER TABLE analytics_values DROP COLUMN used_on;
COMMENT ON TABLE analytics_values IS
    'The dictionary: what stands for a text in sessions, hits and roll-ups. Rows never change.';
