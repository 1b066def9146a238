SELECT checked_at, status_code, entries, urls_added, urls_removed, response_ms, error_class
FROM sitemap_checks
WHERE file_id = $1
ORDER BY checked_at DESC, id DESC
LIMIT $2
