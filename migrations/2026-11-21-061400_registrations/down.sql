-- Takes registrations back, data and all.
-- Locks: ACCESS EXCLUSIVE on uptime_monitors for a moment, and on the table that goes.

ALTER TABLE uptime_monitors DROP COLUMN registrable_domain;
DROP TABLE domain_registrations;
