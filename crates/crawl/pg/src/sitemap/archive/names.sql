INSERT INTO sitemap_names (file_id, keys)
VALUES (
    $2,
    ARRAY(SELECT f.url_key FROM sitemap_files AS f WHERE f.domain_id = $1 AND f.url_key = ANY ($3) ORDER BY f.url_key)
)
ON CONFLICT (file_id) DO UPDATE SET keys = excluded.keys
