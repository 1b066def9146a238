SELECT
    x.id, x.domain_id, x.name, x.hypothesis, x.status, x.method, x.metric, x.control_urls, x.variant_urls, x.pre_start,
    x.pre_end, x.post_start, x.post_end, x.created_at, x.updated_at, x.created_by,
    (
        SELECT e.id
        FROM analytics_evaluations AS e
        WHERE e.experiment_id = x.id
        ORDER BY e.requested_at DESC, e.id DESC
        LIMIT 1
    ) AS latest_evaluation_id
FROM analytics_experiments AS x
WHERE x.domain_id = $1
ORDER BY x.created_at DESC, x.id DESC
