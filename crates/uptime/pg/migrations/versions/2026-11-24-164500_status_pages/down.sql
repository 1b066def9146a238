-- Locks: ACCESS EXCLUSIVE on both tables for a moment.

DROP TABLE status_page_sites;
DROP TABLE status_pages;
