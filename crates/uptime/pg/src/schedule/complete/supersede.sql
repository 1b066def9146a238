DELETE FROM uptime_spans AS s
USING unnest($1, $2, $3, $4) AS seen (domain_id, region, started_at, ended_at)
WHERE s.domain_id = seen.domain_id AND s.region = seen.region
    AND s.started_at > seen.started_at AND s.started_at < seen.ended_at
