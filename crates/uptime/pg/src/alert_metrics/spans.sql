SELECT asked.domain_id, found.region, found.state, found.started_at, found.ended_at
FROM unnest($1, $2) AS asked (domain_id, since)
JOIN uptime_region_states AS r ON r.domain_id = asked.domain_id
CROSS JOIN LATERAL (
    SELECT s.region, s.state, s.started_at, s.ended_at
    FROM uptime_spans AS s
    WHERE s.domain_id = r.domain_id AND s.region = r.region AND s.started_at >= asked.since
    UNION ALL
    -- Spans of a region never overlap, so that only the last one before can reach in.
    SELECT last.region, last.state, last.started_at, last.ended_at
    FROM (
        SELECT s.region, s.state, s.started_at, s.ended_at
        FROM uptime_spans AS s
        WHERE s.domain_id = r.domain_id AND s.region = r.region AND s.started_at < asked.since
        ORDER BY s.started_at DESC
        LIMIT 1
    ) AS last
    WHERE last.ended_at > asked.since
) AS found
ORDER BY asked.domain_id, found.started_at, found.region
