-- Lists of URLs by what Google says of them, and of changes by their kinds: each filter is read by an index.
-- Locks: SHARE on indexing_urls, indexing_changes and its partitions while the indexes are made.

-- By a hash of both, so that no other index seems as good to the planner: it knows the values of all domains together, and takes
-- what is rare in one for frequent.
CREATE INDEX indexing_urls_verdict_idx ON indexing_urls
    (hashtextextended(verdict, uuid_hash_extended(domain_id, 0)), url);
CREATE INDEX indexing_urls_reason_idx ON indexing_urls
    (hashtextextended(coverage_reason, uuid_hash_extended(domain_id, 0)), url);
CREATE INDEX indexing_urls_fetch_idx ON indexing_urls
    (hashtextextended(page_fetch_state, uuid_hash_extended(domain_id, 0)), url);
COMMENT ON INDEX indexing_urls_verdict_idx IS 'Serves lists of one verdict.';
COMMENT ON INDEX indexing_urls_reason_idx IS 'Serves lists of one coverage reason.';
COMMENT ON INDEX indexing_urls_fetch_idx IS 'Serves lists of one fetch state.';

CREATE INDEX indexing_changes_found_idx ON indexing_changes
    (hashtextextended(field || ' ' || direction, uuid_hash_extended(domain_id, 0)), changed_at, id);
COMMENT ON INDEX indexing_changes_found_idx IS 'Serves lists of one field, one direction, or both: a page of each pair of them.';
