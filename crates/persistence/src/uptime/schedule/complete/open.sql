INSERT INTO uptime_incidents (id, domain_id, started_at, confirmed_at, resolved_at)
SELECT * FROM unnest($1, $2, $3, $4, $5)
