-- Takes real-user monitoring back, data and all.
-- Locks: ACCESS EXCLUSIVE on the tables that go, and on domains and users for a moment.

DROP TABLE rum_hist;
DROP TABLE rum_daily;
DROP TABLE rum_progress;
DROP TABLE rum_error_groups;
DROP TABLE rum_reasons;
DROP TABLE rum_scripts;
DROP TABLE rum_frames;
DROP TABLE rum_resources;
DROP TABLE rum_errors;
DROP TABLE rum_server_timings;
DROP TABLE rum_ttfb;
DROP TABLE rum_cls;
DROP TABLE rum_inp;
DROP TABLE rum_lcp;
DROP TABLE rum_engagements;
DROP TABLE rum_views;
DROP TABLE rum_loads;
DROP TABLE rum_beacons;
DROP TABLE rum_new_texts;
DROP TABLE rum_texts;
DROP TABLE rum_sites;
