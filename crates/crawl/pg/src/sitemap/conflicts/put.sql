INSERT INTO sitemap_conflicts AS c (
    domain_id, crawler, url_key, url, file_id, line, kind, path, first_seen_at, computed_at
)
SELECT $1, $2, f.url_key, f.url, f.file_id, f.line, 'disallow', f.path, $3, $3
FROM unnest($4::uuid[], $5::text[], $6::uuid[], $7::integer[], $8::text[]) AS f (url_key, url, file_id, line, path)
-- A file may have been forgotten meanwhile.
JOIN sitemap_files AS s ON s.id = f.file_id AND s.removed_at IS NULL
ON CONFLICT (domain_id, crawler, url_key) DO UPDATE
SET file_id = excluded.file_id, line = excluded.line, path = excluded.path, computed_at = excluded.computed_at
