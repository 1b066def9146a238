UPDATE synthetic_runs AS r
-- A node that dies may leave files of a run that has no result.
SET status = 'running', started_at = coalesce(r.started_at, $2), files_until = $3
FROM synthetic_urls AS u
JOIN domains AS d ON d.id = u.domain_id
WHERE r.id = $1 AND r.status IN ('queued', 'running') AND u.id = r.url_id AND u.deleted_at IS NULL AND d.deleted_at IS NULL
RETURNING r.requested_at, u.id, u.settings, u.secrets, r.profile_id,
    (
        SELECT jsonb_build_object(
            'engine_version', (array_agg(b.engine_version ORDER BY b.finished_at DESC))[1],
            'benchmark_index', percentile_cont(0.5) WITHIN GROUP (ORDER BY b.benchmark_index))
        FROM (
            SELECT p.finished_at, p.summary ->> 'engine_version' AS engine_version,
                (p.summary ->> 'benchmark_index')::float8 AS benchmark_index
            FROM synthetic_runs AS p
            WHERE p.url_id = r.url_id AND p.profile_id = r.profile_id AND p.status = 'succeeded'
            ORDER BY p.finished_at DESC
            LIMIT 5
        ) AS b
        HAVING count(*) > 0
    ) AS before
