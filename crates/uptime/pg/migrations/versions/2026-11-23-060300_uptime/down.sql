-- Takes monitors and their findings back, data and all.
-- Locks: ACCESS EXCLUSIVE on the tables that go, and on domains and users for a moment.

DROP TABLE uptime_rollup_progress;
DROP TABLE uptime_distributions;
DROP TABLE uptime_rollups;
DROP TABLE uptime_certificate_history;
DROP TABLE uptime_certificates;
DROP TABLE uptime_incident_events;
DROP TABLE uptime_incidents;
DROP TABLE uptime_spans;
DROP TABLE uptime_checks;
DROP TABLE uptime_region_states;
DROP TABLE uptime_schedules;
DROP TABLE uptime_monitors;
DROP TABLE domain_registrations;
DROP TABLE regions;
