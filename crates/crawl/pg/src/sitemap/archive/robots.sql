SELECT s.robots_url, v.id AS version_id, v.state, v.content,
    s.state IN ('unreachable', 'server_error') AS is_out_of_reach
FROM robots_sites AS s
JOIN robots_versions AS v ON v.id = s.version_id
WHERE s.domain_id = $1
