UPDATE uptime_spans AS s
SET state = 'down'
FROM unnest($1, $2, $3) AS k (domain_id, region, since)
WHERE s.domain_id = k.domain_id AND s.region = k.region AND s.state IN ('suspect', 'pending') AND s.started_at >= k.since
