-- Search Console: the oldest day of a property is read from its imports alone. The column stays, since nodes of the version before
-- write it; a later version drops it.
-- Locks: SHARE UPDATE EXCLUSIVE on search_properties for a moment.

COMMENT ON COLUMN search_properties.backfill_from IS 'Unused: search_imports says how far back each search type was imported.';
