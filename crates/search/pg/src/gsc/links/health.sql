SELECT count(*) AS linked,
    count(*) FILTER (WHERE NOT is_read) AS lost,
    count(*) FILTER (WHERE is_read AND s.last_failure IS NOT NULL) AS failing,
    (array_agg(d.hostname ORDER BY s.last_sync_at DESC NULLS LAST, d.id)
        FILTER (WHERE is_read AND s.last_failure IS NOT NULL))[1] AS hostname,
    (array_agg(s.last_failure ORDER BY s.last_sync_at DESC NULLS LAST, d.id)
        FILTER (WHERE is_read AND s.last_failure IS NOT NULL))[1] AS failure,
    count(*) FILTER (
        WHERE s.next_sync_at < now() - interval '1 hour' AND (s.leased_until IS NULL OR s.leased_until <= now())
    ) AS overdue
FROM search_properties AS s
JOIN domains AS d ON d.id = s.domain_id AND d.deleted_at IS NULL
CROSS JOIN LATERAL (SELECT s.status NOT IN ('reauthorization_required', 'permission_lost') AS is_read) AS known
WHERE s.account_id IS NOT NULL
