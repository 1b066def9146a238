SELECT s.domain_id, s.data_through, newest.imported_at, s.search_types, c.settings, c.updated_at, c.updated_by,
    imported.search_types AS imported_types,
    imported.reached,
    missed.search_types AS missed_types,
    missed.dates AS missed_dates
FROM search_properties AS s
JOIN domains AS d ON d.id = s.domain_id AND d.deleted_at IS NULL
LEFT JOIN search_configs AS c ON c.domain_id = s.domain_id
LEFT JOIN LATERAL (
    -- The past is imported meanwhile, too: only new days show that data come in.
    SELECT max(t.imported_at) AS imported_at
    FROM search_days AS t
    WHERE t.domain_id = s.domain_id
        AND t.search_type BETWEEN 1 AND 6
        AND t.date > coalesce(s.data_through, s.linked_at::date) - 7
) AS newest ON true
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
    WHERE m.domain_id = s.domain_id
) AS missed
WHERE s.domain_id = ANY ($1)
