SELECT p.id, p.slug, p.title, p.created_at, s.domain_ids
FROM status_pages AS p
CROSS JOIN LATERAL (
    SELECT coalesce(array_agg(s.domain_id ORDER BY s.position), '{}') AS domain_ids
    FROM status_page_sites AS s
    WHERE s.page_id = p.id
) AS s
WHERE p.workspace_id = $1 AND ($2 IS NULL OR p.id = $2)
ORDER BY p.created_at, p.id
