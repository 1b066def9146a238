-- Takes the keys after the first back. Secrets that they sealed can't be opened any more: those channels have to be set up anew, and
-- those accounts linked anew.
-- Locks: ACCESS EXCLUSIVE on the table that goes.

DROP TABLE sealing_keys;
