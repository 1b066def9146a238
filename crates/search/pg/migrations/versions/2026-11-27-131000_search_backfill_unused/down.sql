COMMENT ON COLUMN search_properties.backfill_from IS 'The oldest day that was imported.';
