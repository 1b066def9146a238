-- Files at a usual path that no root leads to any more are roots of their own: they are looked for there, whoever names them.
WITH RECURSIVE reached AS (
    SELECT f.id
    FROM sitemap_files AS f
    WHERE f.domain_id = $1 AND f.removed_at IS NULL AND (f.in_robots OR f.is_manual OR f.is_default)
    UNION
    SELECT f.id FROM reached AS r JOIN sitemap_files AS f ON f.parent_id = r.id AND f.removed_at IS NULL
)
UPDATE sitemap_files AS f
SET is_default = true, depth = 1
WHERE f.domain_id = $1 AND f.url_key = ANY ($2) AND f.removed_at IS NULL
    -- Where two answers say that it is gone there is none to look for.
    AND NOT (f.status = 'gone' AND f.failures >= 2)
    AND NOT EXISTS (SELECT FROM reached AS r WHERE r.id = f.id)
