SELECT f.id, f.url, f.in_robots, f.parent_id, f.is_manual, f.is_default, f.kind, f.status, f.status_code, f.entries,
    f.size_bytes, f.uncompressed_bytes, f.is_gzip, f.index_lastmod, f.newest_lastmod, f.fetched_at, f.changed_at,
    f.response_ms, f.over_limits,
    count(i.code) FILTER (WHERE i.code = ANY ($4)) AS errors, count(i.code) FILTER (WHERE i.code = ANY ($5)) AS warnings,
    count(i.code) FILTER (WHERE NOT i.code = ANY ($4) AND NOT i.code = ANY ($5)) AS infos
FROM sitemap_files AS f
LEFT JOIN sitemap_issues AS i ON i.file_id = f.id
WHERE f.domain_id = $1 AND f.removed_at IS NULL AND ($2::uuid IS NULL OR f.id = $2)
    AND ($3::uuid IS NULL OR f.id IN (SELECT c.file_id FROM sitemap_checks AS c WHERE c.run_id = $3))
GROUP BY f.id
ORDER BY f.depth, f.url
LIMIT $6
