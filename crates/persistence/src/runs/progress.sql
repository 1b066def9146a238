-- The trigger adds the items of all jobs up.
UPDATE jobs AS j
SET total_items = $3, completed_items = $4, failed_items = $5
FROM runs AS r
WHERE j.id = $1 AND j.state = 'running' AND j.attempts = $2 AND r.id = j.run_id AND r.status = 'running'
