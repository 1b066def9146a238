SELECT s.domain_id, s.data_through, newest.imported_at, s.search_types, c.settings, c.updated_at, c.updated_by
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
WHERE s.domain_id = ANY ($1)
