SELECT count(*) AS watched,
    count(*) FILTER (
        WHERE s.next_check_at < now() - least(s.interval_seconds * interval '1 second', interval '1 hour')
            -- A node that is gone leaves its lease behind.
            AND (s.leased_until IS NULL OR s.leased_until <= now())
    ) AS overdue,
    coalesce(sum(f.files), 0)::bigint AS files, coalesce(sum(f.failing), 0)::bigint AS failing
FROM sitemap_sites AS s
JOIN domains AS d ON d.id = s.domain_id AND d.deleted_at IS NULL
LEFT JOIN (
    SELECT domain_id, count(*) AS files, count(*) FILTER (WHERE failures > 0) AS failing
    FROM sitemap_files
    WHERE removed_at IS NULL
    GROUP BY domain_id
) AS f ON f.domain_id = s.domain_id
