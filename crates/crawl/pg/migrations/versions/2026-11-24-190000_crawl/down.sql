DROP TABLE robots_test_urls;
DROP TABLE robots_checks;
DROP TABLE robots_sites;
DROP TABLE robots_versions;
