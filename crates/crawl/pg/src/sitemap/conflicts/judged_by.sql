SELECT r.robots_url, v.id AS version_id, v.state, v.content,
    r.state IN ('unreachable', 'server_error') AS is_out_of_reach
FROM sitemap_sites AS s
JOIN robots_sites AS r ON r.domain_id = s.domain_id
JOIN robots_versions AS v ON v.id = (s.conflicts ->> 'version_id')::uuid
WHERE s.domain_id = $1 AND r.robots_url IS NOT NULL
