-- A run may come before the schedule has seen the domain.
INSERT INTO robots_sites (domain_id, workspace_id, next_check_at)
SELECT d.id, d.workspace_id, now()
FROM domains AS d
WHERE d.id = $1 AND d.deleted_at IS NULL
ON CONFLICT DO NOTHING
