UPDATE search_properties
SET leased_until = now() + $3 * interval '1 second'
WHERE domain_id = $1 AND leased_until = $2
RETURNING leased_until
