SELECT p.workspace_id, p.title, s.ids, s.names
FROM status_pages AS p
CROSS JOIN LATERAL (
    SELECT
        coalesce(array_agg(d.id ORDER BY s.position), '{}') AS ids,
        coalesce(array_agg(coalesce(d.display_name, d.hostname) ORDER BY s.position), '{}') AS names
    FROM status_page_sites AS s
    JOIN domains AS d ON d.id = s.domain_id AND d.deleted_at IS NULL
    WHERE s.page_id = p.id
) AS s
WHERE p.slug = $1
