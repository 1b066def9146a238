-- Takes back what was set aside, and with it what is known of it.
-- Locks: ACCESS EXCLUSIVE on the table that goes.

DROP TABLE set_aside;
