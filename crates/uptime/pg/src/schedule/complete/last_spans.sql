SELECT k.domain_id, k.region, s.state, s.started_at, s.ended_at
FROM unnest($1, $2) AS k (domain_id, region)
CROSS JOIN LATERAL (
    SELECT state, started_at, ended_at
    FROM uptime_spans
    -- One that begins ahead of the present is of a clock that was wrong: it comes after what is seen now.
    WHERE domain_id = k.domain_id AND region = k.region AND started_at <= $3
    ORDER BY started_at DESC
    LIMIT 1
) AS s
