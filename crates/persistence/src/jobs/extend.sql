UPDATE jobs
SET leased_until = now() + $3 * interval '1 second'
WHERE id = ANY($2) AND state = 'running' AND worker = $1
RETURNING id
