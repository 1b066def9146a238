-- Takes web analytics back, data and all.
-- Locks: ACCESS EXCLUSIVE on the tables that go, and on domains and users for a moment.

DROP TABLE analytics_revenue;
DROP TABLE analytics_pages;
DROP TABLE analytics_daily;
DROP TABLE analytics_progress;
DROP TABLE analytics_titles;
DROP TABLE analytics_items;
DROP TABLE analytics_commerce;
DROP TABLE analytics_orders;
DROP TABLE analytics_properties;
DROP TABLE analytics_engagements;
DROP TABLE analytics_hits;
DROP TABLE analytics_sessions;
DROP TABLE analytics_visitors;
DROP TABLE analytics_beacons;
DROP TABLE analytics_new_values;
DROP TABLE analytics_values;
DROP TABLE analytics_sites;
