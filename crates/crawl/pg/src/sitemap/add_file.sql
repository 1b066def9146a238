INSERT INTO sitemap_files (id, domain_id, url, url_key, is_manual, depth, found_at)
VALUES ($4, $1, $2, $3, true, 1, $5)
ON CONFLICT (domain_id, url_key) DO UPDATE
-- One that was stopped, or that went, is read as if it was new.
SET is_manual = true, depth = 1, removed_at = NULL, is_forgotten = false, stopped_at = NULL,
    sha256 = CASE WHEN sitemap_files.removed_at IS NULL THEN sitemap_files.sha256 END,
    good_at = CASE WHEN sitemap_files.removed_at IS NULL THEN sitemap_files.good_at END
RETURNING id
