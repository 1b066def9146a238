SELECT s.domain_id, s.last_changed_at, r.urls_total, r.files_failed, r.errors, r.blocked, r.non_200
FROM sitemap_sites AS s
JOIN domains AS d ON d.id = s.domain_id AND d.deleted_at IS NULL
CROSS JOIN LATERAL (
    SELECT r.urls_total, r.files_failed, r.errors, r.blocked, r.non_200
    FROM sitemap_rounds AS r
    WHERE r.domain_id = s.domain_id
    ORDER BY r.ended_at DESC, r.id DESC
    LIMIT 1
) AS r
WHERE s.domain_id = ANY ($1)
