SELECT
    e.id, e.experiment_id, e.method, e.metric, e.requested_at, e.progress_pct, e.outcome,
    CASE WHEN f.has_failed THEN 'failed' ELSE e.status END AS status,
    CASE WHEN f.has_failed THEN coalesce(j.finished_at, e.requested_at) ELSE e.completed_at END AS completed_at
FROM analytics_experiments AS x
JOIN analytics_evaluations AS e ON e.experiment_id = x.id
LEFT JOIN jobs AS j ON j.id = e.job_id
CROSS JOIN LATERAL (
    SELECT e.status = 'pending' AND coalesce(j.state, 'dead') NOT IN ('queued', 'running') AS has_failed
) AS f
WHERE x.id = $1 AND x.domain_id = $2
ORDER BY e.requested_at DESC, e.id DESC
LIMIT 1
