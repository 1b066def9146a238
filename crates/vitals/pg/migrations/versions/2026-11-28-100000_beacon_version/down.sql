ALTER TABLE rum_progress DROP COLUMN beacon_version;
