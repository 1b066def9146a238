DROP TABLE search_consents;
