UPDATE indexing_urls AS u
SET inspected_at = n.inspected_at, verdict = n.verdict, coverage_state = n.coverage_state,
    coverage_reason = n.coverage_reason, robots_txt_state = n.robots_txt_state, indexing_state = n.indexing_state,
    page_fetch_state = n.page_fetch_state, crawled_as = n.crawled_as, last_crawl_at = n.last_crawl_at,
    google_canonical = n.google_canonical, user_canonical = n.user_canonical, canonical_kind = n.canonical_kind,
    has_rich_errors = n.has_rich_errors, inspection = n.inspection, next_inspection_at = n.next_inspection_at,
    failures = 0, last_error_code = NULL, has_changed = n.has_changed
FROM jsonb_to_recordset($1) AS n (
    id uuid, inspected_at timestamptz, next_inspection_at timestamptz, verdict text, coverage_state text,
    coverage_reason text, robots_txt_state text, indexing_state text, page_fetch_state text, crawled_as text,
    last_crawl_at timestamptz, google_canonical text, user_canonical text, canonical_kind text, has_rich_errors boolean,
    inspection jsonb, has_changed boolean
)
WHERE u.id = n.id
