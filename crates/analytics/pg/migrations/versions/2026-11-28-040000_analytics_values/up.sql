-- Web analytics: when each value of the dictionary was last used, by which it is forgotten. Those of before count as used today.
-- Locks: ACCESS EXCLUSIVE on analytics_values while its index is built, no rewrite; beacons wait meanwhile.

ALTER TABLE analytics_values ADD COLUMN used_on date NOT NULL DEFAULT (now() AT TIME ZONE 'UTC')::date;
CREATE INDEX analytics_values_used_on_idx ON analytics_values (used_on);
COMMENT ON TABLE analytics_values IS
    'The dictionary: what stands for a text in sessions, hits and roll-ups. A row changes only its used_on.';
COMMENT ON COLUMN analytics_values.used_on IS
    'When it was last used, to within a month: one that nothing has any more is forgotten.';
