SELECT s.workspace_id, s.site_url, s.status, s.search_types, s.linked_at, s.data_through, s.newest_due_at, s.sync_failures,
    s.account_id, a.label, a.sealed, a.created_by,
    ARRAY(
        SELECT i.search_type FROM search_imports AS i
        WHERE i.domain_id = s.domain_id AND i.site_url = s.site_url ORDER BY i.search_type
    ) AS imported_types,
    ARRAY(
        SELECT i.reached FROM search_imports AS i
        WHERE i.domain_id = s.domain_id AND i.site_url = s.site_url ORDER BY i.search_type
    ) AS reached
FROM search_properties AS s
JOIN domains AS d ON d.id = s.domain_id AND d.deleted_at IS NULL
LEFT JOIN search_accounts AS a ON a.id = s.account_id
WHERE s.domain_id = $1
