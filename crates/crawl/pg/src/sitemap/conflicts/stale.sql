SELECT s.conflicts IS NULL OR s.conflicts ->> 'version_id' <> r.version_id::text
    OR s.last_changed_at > (s.conflicts ->> 'computed_at')::timestamptz
    -- Worked out by a version that did not count the pages of each file, and had no room for some crawlers.
    OR s.conflicts -> 'googlebot_files' IS NULL AS is_stale
FROM sitemap_sites AS s
JOIN robots_sites AS r ON r.domain_id = s.domain_id
WHERE s.domain_id = $1 AND r.version_id IS NOT NULL
