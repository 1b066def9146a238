INSERT INTO sitemap_rounds (
    id, domain_id, ended_at, urls_total, files, files_failed, added, removed, moved, lastmod_changed, errors, warnings, blocked,
    non_200
)
SELECT gen_random_uuid(), $1, $2, $3,
    (SELECT count(*) FROM sitemap_files AS f WHERE f.domain_id = $1 AND f.removed_at IS NULL),
    (SELECT count(*) FROM sitemap_files AS f WHERE f.domain_id = $1 AND f.removed_at IS NULL AND f.failures > 0),
    $4, $5, $6, $7,
    (
        SELECT count(*)
        FROM sitemap_issues AS i
        JOIN sitemap_files AS f ON f.id = i.file_id AND f.removed_at IS NULL
        WHERE i.domain_id = $1 AND i.code = ANY ($8)
    ),
    (
        SELECT count(*)
        FROM sitemap_issues AS i
        JOIN sitemap_files AS f ON f.id = i.file_id AND f.removed_at IS NULL
        WHERE i.domain_id = $1 AND i.code = ANY ($9)
    ),
    $10, $11
