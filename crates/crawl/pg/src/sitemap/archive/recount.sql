-- The newest round counts the findings that there are now.
UPDATE sitemap_rounds AS r
SET errors = n.errors, warnings = n.warnings, non_200 = $4
FROM (
    SELECT l.id, l.ended_at, count(*) FILTER (WHERE i.code = ANY ($2)) AS errors,
        count(*) FILTER (WHERE i.code = ANY ($3)) AS warnings
    FROM (
        SELECT l.id, l.ended_at
        FROM sitemap_rounds AS l
        WHERE l.domain_id = $1
        ORDER BY l.ended_at DESC, l.id DESC
        LIMIT 1
    ) AS l
    LEFT JOIN (
        SELECT i.code
        FROM sitemap_issues AS i
        JOIN sitemap_files AS f ON f.id = i.file_id AND f.removed_at IS NULL
        WHERE i.domain_id = $1
    ) AS i ON true
    GROUP BY l.id, l.ended_at
) AS n
WHERE r.domain_id = $1 AND r.ended_at = n.ended_at AND r.id = n.id
