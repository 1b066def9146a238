ALTER TABLE indexing_sites DROP COLUMN uncounted_since;
