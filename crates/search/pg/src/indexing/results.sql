INSERT INTO indexing_results (url_id, inspected_at, domain_id, verdict, coverage_reason, page_fetch_state, last_crawl_at)
SELECT n.id, n.inspected_at, $1, n.verdict, n.coverage_reason, n.page_fetch_state, n.last_crawl_at
FROM jsonb_to_recordset($2) AS n (
    id uuid, inspected_at timestamptz, verdict text, coverage_reason text, page_fetch_state text,
    last_crawl_at timestamptz
)
ON CONFLICT DO NOTHING
