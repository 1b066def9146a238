UPDATE synthetic_runs AS r
SET status = 'running', started_at = coalesce(r.started_at, $2)
FROM synthetic_urls AS u
JOIN domains AS d ON d.id = u.domain_id
WHERE r.id = $1 AND r.status IN ('queued', 'running') AND u.id = r.url_id AND u.deleted_at IS NULL AND d.deleted_at IS NULL
RETURNING u.id, u.settings, u.secrets, r.profile_id
