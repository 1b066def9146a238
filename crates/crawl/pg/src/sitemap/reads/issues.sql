-- The gravest first: the kinds are in the order of $2.
SELECT i.code, i.file_id, i.count, i.examples, i.first_seen_at
FROM sitemap_issues AS i
JOIN sitemap_files AS f ON f.id = i.file_id AND f.removed_at IS NULL
WHERE i.domain_id = $1 AND i.code = ANY ($2)
ORDER BY array_position($2, i.code), f.depth, f.url
LIMIT 1000
