-- Files that are known already: those that nothing else names, or that are gone, are the index's now. One that leads to the
-- index itself is not: the circle is cut there.
WITH RECURSIVE above AS (
    SELECT f.id, f.parent_id, 1 AS steps FROM sitemap_files AS f WHERE f.id = $2
    UNION ALL
    SELECT f.id, f.parent_id, a.steps + 1
    FROM above AS a
    JOIN sitemap_files AS f ON f.id = a.parent_id
    WHERE a.steps < 10
)
UPDATE sitemap_files AS f
SET parent_id = $2, parent_missed_at = NULL, index_lastmod = n.lastmod, removed_at = NULL, is_forgotten = false,
    depth = CASE WHEN f.in_robots OR f.is_manual OR f.is_default THEN 1 ELSE $6 END,
    sha256 = CASE WHEN f.removed_at IS NULL THEN f.sha256 END,
    good_at = CASE WHEN f.removed_at IS NULL THEN f.good_at END
FROM unnest($3::text[], $4::uuid[], $5::timestamptz[]) AS n (url, url_key, lastmod)
WHERE f.domain_id = $1 AND f.url_key = n.url_key AND f.stopped_at IS NULL
    AND NOT EXISTS (SELECT FROM above AS a WHERE a.id = f.id)
    AND CASE
        WHEN f.parent_id = $2 THEN
            f.parent_missed_at IS NOT NULL OR f.index_lastmod IS DISTINCT FROM n.lastmod OR f.removed_at IS NOT NULL
        ELSE f.parent_id IS NULL OR f.parent_missed_at IS NOT NULL OR f.removed_at IS NOT NULL
    END
