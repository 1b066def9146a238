DROP TABLE search_configs;
