DROP TABLE crawl_hosts;
