-- Those that are not known yet; nobody monitors them.
INSERT INTO indexing_urls (id, domain_id, url, source, created_at)
SELECT w.id, $1, w.url, 'inspector', $5
FROM unnest($2, $3, $4) AS w (id, url, is_first)
WHERE w.is_first
ON CONFLICT DO NOTHING
