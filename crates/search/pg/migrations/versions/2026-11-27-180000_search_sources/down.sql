DROP TABLE search_sources;
