WITH found AS (
    SELECT f.id AS file_id, f.url
    FROM sitemap_files AS f
    WHERE f.domain_id = $1 AND $3 AND f.removed_at IS NULL AND NOT f.in_robots AND f.parent_id IS NULL
), resolved AS (
    DELETE FROM sitemap_issues AS i
    WHERE i.domain_id = $1 AND i.code = 'not_in_robots_txt' AND i.file_id NOT IN (SELECT f.file_id FROM found AS f)
)
INSERT INTO sitemap_issues (file_id, code, domain_id, count, examples, first_seen_at)
SELECT f.file_id, 'not_in_robots_txt', $1, 1, jsonb_build_array(f.url), $2 FROM found AS f
ON CONFLICT (file_id, code) DO NOTHING
