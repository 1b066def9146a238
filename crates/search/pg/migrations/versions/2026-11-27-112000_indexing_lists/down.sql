-- Locks: ACCESS EXCLUSIVE on indexing_urls, indexing_changes and its partitions for a moment.

DROP INDEX indexing_changes_found_idx;
DROP INDEX indexing_urls_fetch_idx;
DROP INDEX indexing_urls_reason_idx;
DROP INDEX indexing_urls_verdict_idx;
