SELECT count(*) AS sites, count(*) FILTER (WHERE s.failures > 0) AS failing, max(s.last_failure) AS failure,
    count(*) FILTER (
        -- A node that is gone leaves its lease behind.
        WHERE s.next_round_at < now() - interval '1 hour' AND (s.leased_until IS NULL OR s.leased_until <= now())
    ) AS overdue
FROM indexing_sites AS s
JOIN domains AS d ON d.id = s.domain_id AND d.deleted_at IS NULL
JOIN search_properties AS p ON p.domain_id = s.domain_id AND p.status IN ('connected', 'pending')
