-- Inspections: since when a domain's day has not counted what rounds of a series found. It is worked out of all URLs of the domain, so
-- no more than once a minute.
-- Locks: ACCESS EXCLUSIVE on indexing_sites for a moment.

ALTER TABLE indexing_sites ADD COLUMN uncounted_since timestamptz;
COMMENT ON COLUMN indexing_sites.uncounted_since IS
    'The first inspection that indexing_days does not count yet, as another round follows at once; null: it counts all.';
