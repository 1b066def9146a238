INSERT INTO uptime_region_states (domain_id, region, state)
SELECT * FROM unnest($1, $2, $3)
ON CONFLICT (domain_id, region) DO UPDATE SET state = excluded.state
