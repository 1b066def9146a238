SELECT s.workspace_id, s.site_url, s.status, s.search_types, s.linked_at, s.data_through, s.newest_due_at, s.sync_failures,
    s.account_id, a.label, a.sealed, a.created_by,
    imported.search_types AS imported_types,
    imported.reached,
    missed.search_types AS missed_types,
    missed.dates AS missed_dates
FROM search_properties AS s
JOIN domains AS d ON d.id = s.domain_id AND d.deleted_at IS NULL
LEFT JOIN search_accounts AS a ON a.id = s.account_id
CROSS JOIN LATERAL (
    SELECT coalesce(array_agg(i.search_type ORDER BY i.search_type), '{}') AS search_types,
        coalesce(array_agg(i.reached ORDER BY i.search_type), '{}') AS reached
    FROM search_imports AS i
    WHERE i.domain_id = s.domain_id AND i.site_url = s.site_url
) AS imported
CROSS JOIN LATERAL (
    SELECT coalesce(array_agg(m.search_type ORDER BY m.search_type, m.date), '{}') AS search_types,
        coalesce(array_agg(m.date ORDER BY m.search_type, m.date), '{}') AS dates
    FROM search_missed_days AS m
    -- Once a day, at whatever minute that begins.
    WHERE m.domain_id = s.domain_id AND m.tried_at < now() - interval '20 hours'
) AS missed
WHERE s.domain_id = $1
