SELECT found.region, found.state, found.started_at, found.ended_at
FROM uptime_region_states AS r
CROSS JOIN LATERAL (
    SELECT s.region, s.state, s.started_at, s.ended_at
    FROM uptime_spans AS s
    WHERE s.domain_id = r.domain_id AND s.region = r.region AND s.started_at >= $2
    UNION ALL
    -- Spans of a region never overlap, so that only the last one before can reach in.
    SELECT last.region, last.state, last.started_at, last.ended_at
    FROM (
        SELECT s.region, s.state, s.started_at, s.ended_at
        FROM uptime_spans AS s
        WHERE s.domain_id = r.domain_id AND s.region = r.region AND s.started_at < $2
        ORDER BY s.started_at DESC
        LIMIT 1
    ) AS last
    WHERE last.ended_at > $2
) AS found
WHERE r.domain_id = $1
ORDER BY found.started_at, found.region
