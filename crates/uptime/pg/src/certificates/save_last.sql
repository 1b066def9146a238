INSERT INTO uptime_certificates (domain_id, digest, checked_at, sighting)
SELECT * FROM unnest($1, $2, $3, $4)
ON CONFLICT (domain_id) DO UPDATE
SET digest = excluded.digest, checked_at = excluded.checked_at, sighting = excluded.sighting
