SELECT c.url_key, c.url, c.file_id, f.url AS file_url, c.line, c.path, c.first_seen_at
FROM sitemap_conflicts AS c
JOIN sitemap_files AS f ON f.id = c.file_id
WHERE c.domain_id = $1 AND c.crawler = $2 AND (c.first_seen_at, c.url_key) < ($3, $4)
ORDER BY c.first_seen_at DESC, c.url_key DESC
LIMIT $5
