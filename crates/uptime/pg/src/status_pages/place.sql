-- Domains of the workspace alone, and none that is deleted.
INSERT INTO status_page_sites (page_id, domain_id, position)
SELECT $1, d.id, chosen.position::integer
FROM unnest($3) WITH ORDINALITY AS chosen (id, position)
JOIN domains AS d ON d.id = chosen.id AND d.workspace_id = $2 AND d.deleted_at IS NULL
