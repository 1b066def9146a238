DROP TABLE search_submitted_sitemaps;
