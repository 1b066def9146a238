UPDATE synthetic_runs AS r
SET status = 'running', started_at = coalesce(r.started_at, $2)
FROM synthetic_urls AS u
JOIN domains AS d ON d.id = u.domain_id
WHERE r.id = $1 AND r.status IN ('queued', 'running') AND u.id = r.url_id AND u.deleted_at IS NULL AND d.deleted_at IS NULL
RETURNING u.id, u.settings, u.secrets, r.profile_id,
    (
        SELECT jsonb_build_object(
            'engine_version', b.summary -> 'engine_version', 'benchmark_index', b.summary -> 'benchmark_index')
        FROM synthetic_runs AS b
        WHERE b.url_id = r.url_id AND b.profile_id = r.profile_id AND b.status = 'succeeded'
        ORDER BY b.finished_at DESC
        LIMIT 1
    ) AS before
