UPDATE sitemap_files
SET names = ARRAY(SELECT f.url_key FROM sitemap_files AS f WHERE f.domain_id = $1 AND f.url_key = ANY ($3) ORDER BY f.url_key)
WHERE id = $2
