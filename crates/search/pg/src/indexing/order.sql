SELECT i.site_url, count(*) AS total, count(*) FILTER (WHERE w.status IN ('done', 'skipped_duplicate')) AS completed,
    count(*) FILTER (WHERE w.status IN ('failed', 'skipped_quota')) AS failed
FROM indexing_runs AS i
JOIN domains AS d ON d.id = i.domain_id AND d.deleted_at IS NULL
JOIN indexing_run_urls AS w ON w.run_id = i.run_id
WHERE i.run_id = $1
GROUP BY i.site_url
