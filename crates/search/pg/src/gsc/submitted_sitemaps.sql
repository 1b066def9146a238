-- Another property may have been linked since the upstream was asked.
SELECT s.path, s.form, s.is_index, s.is_pending, s.last_submitted_at, s.last_downloaded_at, s.errors, s.warnings, s.contents
FROM search_submitted_sitemaps AS s
JOIN search_properties AS p ON p.domain_id = s.domain_id AND p.site_url = s.site_url
WHERE s.domain_id = $1
ORDER BY s.path
