SELECT count(*) AS linked,
    count(*) FILTER (WHERE s.status IN ('reauthorization_required', 'permission_lost')) AS lost,
    count(*) FILTER (WHERE s.last_failure IS NOT NULL) AS failing,
    count(*) FILTER (
        WHERE s.next_sync_at < now() - interval '1 hour' AND (s.leased_until IS NULL OR s.leased_until <= now())
    ) AS overdue
FROM search_properties AS s
JOIN domains AS d ON d.id = s.domain_id AND d.deleted_at IS NULL
WHERE s.account_id IS NOT NULL
