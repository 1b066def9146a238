-- Inspections: how a domain stands is read from an index that has all of it, and not from rows that have whole inspections.
-- Locks: SHARE on indexing_urls while its index is built.

CREATE INDEX indexing_urls_standing_idx ON indexing_urls (domain_id)
    INCLUDE (
        inspected_at, last_crawl_at, verdict, coverage_state, coverage_reason, robots_txt_state, indexing_state,
        page_fetch_state, crawled_as, canonical_kind, has_rich_errors
    )
    WHERE next_inspection_at IS NOT NULL;
COMMENT ON INDEX indexing_urls_standing_idx IS 'Serves what is counted of all monitored URLs of a domain.';
