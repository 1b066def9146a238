-- Files that no root leads to any more, and that another index named when it was last read: they are that one's now.
WITH RECURSIVE reached AS (
    SELECT f.id
    FROM sitemap_files AS f
    WHERE f.domain_id = $1 AND f.removed_at IS NULL AND (f.in_robots OR f.is_manual OR f.is_default)
    UNION
    SELECT f.id FROM reached AS r JOIN sitemap_files AS f ON f.parent_id = r.id AND f.removed_at IS NULL
), found AS (
    SELECT DISTINCT ON (f.id) f.id, i.id AS index_id, i.depth
    FROM sitemap_files AS f
    JOIN sitemap_names AS n ON f.url_key = ANY (n.keys)
    JOIN reached AS r ON r.id = n.file_id
    JOIN sitemap_files AS i ON i.id = r.id
    WHERE f.domain_id = $1 AND f.removed_at IS NULL AND i.depth < $2
        -- One that a root leads to stays where it is.
        AND NOT EXISTS (SELECT FROM reached AS k WHERE k.id = f.id)
    ORDER BY f.id, i.depth, i.id
), freed AS (
    -- A root that such a file names would have it above and below itself, and nothing would let go of a circle.
    UPDATE sitemap_files AS f
    SET parent_id = NULL, parent_missed_at = NULL
    FROM reached AS r
    WHERE f.id = r.id AND f.parent_id IS NOT NULL
        AND NOT EXISTS (SELECT FROM reached AS k WHERE k.id = f.parent_id)
        AND EXISTS (SELECT FROM found)
    RETURNING 1
)
UPDATE sitemap_files AS f
SET parent_id = n.index_id, parent_missed_at = NULL, depth = n.depth + 1
FROM found AS n
WHERE f.id = n.id
