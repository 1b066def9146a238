INSERT INTO uptime_spans (domain_id, region, state, started_at, ended_at)
SELECT * FROM unnest($1, $2, $3, $4, $5)
ON CONFLICT (domain_id, region, started_at) DO UPDATE
SET state = excluded.state, ended_at = excluded.ended_at
