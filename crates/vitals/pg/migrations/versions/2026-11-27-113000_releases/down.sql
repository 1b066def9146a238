DROP TABLE rum_releases;
