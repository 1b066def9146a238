SELECT s.domain_id, s.blocks_all, s.blocks_googlebot, s.failures, s.status_code, s.issue_counts, s.failing_test_urls,
    -- A file that goes on beyond what is kept has one byte more at least.
    CASE WHEN v.content IS NOT NULL THEN v.size_bytes + (s.good_fetch ->> 'state' = 'too_large')::integer END AS size_bytes,
    m.conflicts
FROM robots_sites AS s
JOIN domains AS d ON d.id = s.domain_id AND d.deleted_at IS NULL
LEFT JOIN robots_versions AS v ON v.id = s.version_id
LEFT JOIN sitemap_sites AS m ON m.domain_id = s.domain_id
WHERE s.domain_id = ANY ($1) AND s.last_checked_at IS NOT NULL
