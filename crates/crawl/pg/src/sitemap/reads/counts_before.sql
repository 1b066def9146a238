SELECT errors, warnings FROM sitemap_rounds
WHERE domain_id = $1 AND ended_at < $2 AND files > 0
ORDER BY ended_at DESC, id DESC
LIMIT 1
