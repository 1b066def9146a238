-- Takes back what checks saw of certificates.
-- Locks: ACCESS EXCLUSIVE on the tables that go, and on domains for a moment.

DROP TABLE uptime_certificate_history;
DROP TABLE uptime_certificates;
