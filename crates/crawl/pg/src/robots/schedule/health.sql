SELECT count(*) AS watched, count(*) FILTER (WHERE s.failures > 0) AS failing,
    count(*) FILTER (
        WHERE s.next_check_at < now() - least(s.interval_seconds * interval '1 second', interval '1 hour')
    ) AS overdue
FROM robots_sites AS s
JOIN domains AS d ON d.id = s.domain_id AND d.deleted_at IS NULL
