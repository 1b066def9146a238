SELECT f.id, f.url, f.parent_id IS NOT NULL AS is_child, f.depth, f.kind, f.validators, f.sha256,
    $3::uuid IS NOT NULL AND EXISTS (
        SELECT FROM sitemap_checks AS c WHERE c.run_id = $3 AND c.file_id = f.id
    ) AS is_done
FROM sitemap_files AS f
WHERE f.domain_id = $1 AND f.removed_at IS NULL
    AND CASE
        WHEN $2::uuid IS NULL THEN f.in_robots OR f.is_manual OR f.is_default
        ELSE f.parent_id = $2
    END
-- Those that a check had no time for come first in the next one.
ORDER BY f.fetched_at NULLS FIRST, f.url
LIMIT $4
