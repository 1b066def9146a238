DROP TABLE search_missed_days;
COMMENT ON TABLE search_imports IS 'How far back each search type of a property was imported.';
