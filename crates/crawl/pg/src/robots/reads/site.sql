SELECT s.robots_url, s.state, s.status_code, s.last_checked_at, s.last_changed_at, s.good_fetch, s.issues, s.issue_counts,
    s.sitemaps, s.version_id, v.content, v.sha256
FROM robots_sites AS s
LEFT JOIN robots_versions AS v ON v.id = s.version_id
WHERE s.domain_id = $1 AND s.last_checked_at IS NOT NULL
