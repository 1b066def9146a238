SELECT asked.domain_id, found.id, found.severity, found.started_at, found.resolved_at
FROM unnest($1, $2) AS asked (domain_id, since)
CROSS JOIN LATERAL (
    SELECT i.id, i.severity, i.started_at, i.resolved_at
    FROM uptime_incidents AS i
    WHERE i.domain_id = asked.domain_id AND i.started_at >= asked.since
    UNION ALL
    -- Incidents of a domain follow each other, so that only the last one before can reach in.
    SELECT last.id, last.severity, last.started_at, last.resolved_at
    FROM (
        SELECT i.id, i.severity, i.started_at, i.resolved_at
        FROM uptime_incidents AS i
        WHERE i.domain_id = asked.domain_id AND i.started_at < asked.since
        ORDER BY i.started_at DESC
        LIMIT 1
    ) AS last
    WHERE last.resolved_at IS NULL OR last.resolved_at > asked.since
) AS found
ORDER BY asked.domain_id, found.started_at
