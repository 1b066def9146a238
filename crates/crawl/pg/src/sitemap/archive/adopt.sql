INSERT INTO sitemap_files (id, domain_id, url, url_key, is_default, depth, found_at)
VALUES ($4, $1, $2, $3, true, 1, $5)
ON CONFLICT (domain_id, url_key) DO UPDATE
SET is_default = true, depth = 1, removed_at = NULL, is_forgotten = false, stopped_at = NULL, sha256 = NULL, good_at = NULL
RETURNING id
